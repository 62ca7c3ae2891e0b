package com.example.bank

import scala.collection.mutable
import scala.util.{Failure, Success, Try}
import java.time._

sealed trait Event
case class Deposit(account: String, amount: BigDecimal) extends Event
final case class Transfer(from: String, to: String, amount: BigDecimal = 0) extends Event
case object Closed extends Event

trait Store[F[_], +A] {
  type Key = String
  def get(key: Key): F[Option[A]]
  def size: Int = 0
}

object Limits {
  val Max: Int = 1000
  lazy val names = List("a", "b")
  implicit val ordering: Ordering[Deposit] = Ordering.by(_.amount)
  private[bank] def check(n: Int): Boolean = n >= 0 && n <= Max
}

abstract class Account(val id: String, protected var balance: BigDecimal)(implicit clock: Clock)
    extends Ordered[Account]
    with Serializable {

  require(id.nonEmpty, s"bad id: $id")

  def this(id: String)(implicit clock: Clock) = this(id, BigDecimal(0))

  override def compare(that: Account): Int = id.compareTo(that.id)

  def rate: Double

  def deposit(amount: BigDecimal): Either[String, Unit] = {
    if (amount <= 0) {
      Left("amount must be positive")
    } else if (amount > Limits.Max) Left(f"too much: ${amount.toDouble}%.2f")
    else {
      balance += amount
      Right(())
    }
  }
}

class Bank[A <: Account](accounts: Seq[A]) {
  private val byId = mutable.Map.empty[String, A]
  accounts.foreach(a => byId(a.id) = a)

  @throws[IllegalStateException]("closed")
  def apply(event: Event): Try[BigDecimal] = event match {
    case Deposit(id, amount) if byId.contains(id) =>
      Try(byId(id)).flatMap { account =>
        account.deposit(amount).fold(e => Failure(new Exception(e)), _ => Success(amount))
      }
    case Transfer(from, to, _) if from == to => Success(0)
    case t: Transfer =>
      for {
        a <- Try(byId(t.from))
        b <- Try(byId(t.to))
        if a != b
        sum = t.amount * 2
      } yield sum
    case Closed | null => Failure(new IllegalStateException("closed"))
    case _ => throw new MatchError(event)
  }

  def total: BigDecimal = {
    var sum = BigDecimal(0)
    for (i <- 0 until accounts.length; a = accounts(i)) {
      sum = sum + a.rate
    }
    var i = 0
    while (i < 3) {
      i += 1
    }
    sum
  }

  def load(path: String): List[Event] = {
    val source = scala.io.Source.fromFile(path)
    try {
      source.getLines().map(_.split(",").toList).collect {
        case "d" :: id :: amount :: Nil => Deposit(id, BigDecimal(amount))
        case List("t", from, to, amount) => Transfer(from, to, BigDecimal(amount))
      }.toList
    } catch {
      case e: java.io.IOException =>
        println("cannot read " + path)
        Nil
      case scala.util.control.NonFatal(e) => throw e
    } finally source.close()
  }

  def fold[B](zero: B)(f: (B, A) => B): B = accounts.foldLeft(zero)(f)
}

object Main extends App {
  val double: Int => Int = x => x * 2
  val add = (a: Int, b: Int) => a + b
  val pairs = for (x <- List(1, 2, 3) if x % 2 == 1; y <- 'a' to 'c') yield (x, y)
  val (first, second) = pairs.head
  val text =
    """many
      |lines""".stripMargin
  val anon = new Runnable { def run(): Unit = () }
  println(s"$first ${double(add(1, -2))} ${text.length}")
  implicit class Rich(n: Int) { def squared: Int = n * n }
  val result = if (3.squared > 8) "big" else "small"
  val table = Map("a" -> 1, "b" -> 2).withDefaultValue(0)
  println(table("a") :: Nil ++ List(result.length, !true: Any))
  def loop(n: Int): Int = if (n == 0) n else loop(n - 1)
}
