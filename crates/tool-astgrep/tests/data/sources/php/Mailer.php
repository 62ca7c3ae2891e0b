<?php

declare(strict_types=1);

namespace App\Mail;

use App\Contracts\{Transport, Logger as Log};
use InvalidArgumentException;
use function array_map;

const RETRIES = 3;

interface Sends
{
    public const LIMIT = 10;
    public function send(Message $message, string ...$to): bool;
}

trait Counts
{
    protected int $count = 0;

    public function count(): int
    {
        return $this->count;
    }
}

enum Status: string
{
    case Open = 'open';
    case Done = 'done';

    public static function first(): self
    {
        return self::Open;
    }
}

#[Attribute(Attribute::TARGET_CLASS)]
final class Mailer extends Base implements Sends
{
    use Counts;

    private static ?Mailer $instance = null;
    public array $options = ['html' => true, 'retry' => RETRIES, 7];

    public function __construct(private readonly Transport $transport, protected ?Log $log = null, int|string $port = 25)
    {
        parent::__construct($port);
        $this->options['port'] ??= $port;
    }

    public static function instance(): static
    {
        return self::$instance ??= new static(new Smtp());
    }

    #[Override]
    public function send(Message $message, string ...$to): bool
    {
        if (empty($to) || count($to) > self::LIMIT) {
            throw new InvalidArgumentException("Too many: {$this->count} of " . self::LIMIT);
        } elseif (!$message->valid()) {
            return false;
        } else {
            $this->count++;
        }
        foreach ($to as $index => $address) {
            try {
                $this->transport->deliver($message->withTo(trim($address)), timeout: 5);
            } catch (TimeoutException | NetworkException $e) {
                $this->log?->error('failed: ' . $e->getMessage(), ['to' => $address]);
                continue;
            } finally {
                unset($this->options[$index]);
            }
        }
        return true;
    }

    public function render(string $name, array $data = []): string
    {
        extract($data);
        ob_start();
        include __DIR__ . "/views/$name.php";
        $lines = array_map(fn ($line) => rtrim($line), explode("\n", ob_get_clean()));
        $filter = function (string $line) use ($name, &$data): bool {
            return $line !== '' && strpos($line, $name) === false;
        };
        return implode(PHP_EOL, array_filter($lines, $filter));
    }

    public function level(int $code): string
    {
        switch ($code) {
            case 1:
            case 2:
                $level = 'low';
                break;
            default:
                $level = 'high';
        }
        $word = match (true) {
            $code < 0 => 'none',
            $code % 2 === 0, $code > 100 => $level,
            default => strtoupper($level),
        };
        return $word;
    }

    public function drain(\Iterator $queue): \Generator
    {
        $i = 0;
        while ($queue->valid()) {
            yield $i => $queue->current();
            $queue->next();
            if (++$i >= self::LIMIT) break;
        }
        for ($n = 0; $n < 3; $n += 1) {
            yield from $this->more($n);
        }
        do {
            $i--;
        } while ($i > 0 and $i !== 5);
    }
}

abstract class Base
{
    public function __construct(protected int|string $port)
    {
    }

    abstract protected function more(int $n): array;
}

function format_bytes(float $bytes, int $places = 2): string
{
    static $units = ['B', 'KB'];
    $power = $bytes > 0 ? (int) floor(log($bytes, 1024)) : 0;
    [$a, 'key' => $b] = [1, 'key' => 2];
    return sprintf("%.{$places}f %s", $bytes / (1024 ** $power), $units[$power] ?? 'B');
}

$mailer = Mailer::instance();
$class = new class(1) extends Base {
    protected function more(int $n): array { return [$n]; }
};
echo format_bytes(2048), PHP_EOL;
if ($mailer instanceof Sends && isset($argv[1])): ?>
<p>Sent to <?= htmlspecialchars($argv[1]) ?></p>
<?php endif;
$text = <<<TXT
    Dear $mailer,
    TXT;
global $log;
$copy = clone $class;
print $text . -$copy::LIMIT;
exit(0);
