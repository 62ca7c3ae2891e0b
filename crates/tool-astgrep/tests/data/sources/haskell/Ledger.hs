{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE OverloadedStrings #-}
module Ledger
  ( Account(..)
  , Entry
  , balance
  , runLedger
  ) where

import Control.Monad (forM_, unless, when)
import qualified Data.Map.Strict as Map
import Data.Maybe (fromMaybe, mapMaybe)
import Data.List hiding (insert)

type Amount = Int

newtype Ledger a = Ledger { unLedger :: Map.Map String a }

data Account
  = Cash
  | Bank String Amount
  | Loan { lender :: String, rate :: Double }
  deriving (Show, Eq)

data Entry = Entry
  { from :: Account
  , to :: Account
  , amount :: !Amount
  }

class Describe a where
  describe :: a -> String
  describe _ = "thing"
  size :: a -> Int

instance Describe Account where
  describe Cash = "cash"
  describe (Bank name n) = name ++ " " ++ show n
  describe Loan { lender = l } = l
  size = length . describe

instance Functor Ledger where
  fmap f (Ledger m) = Ledger (Map.map f m)

infixl 6 |+|

(|+|) :: Amount -> Amount -> Amount
a |+| b = a + b

balance :: Account -> [Entry] -> Amount
balance account = foldr step 0
  where
    step entry acc
      | from entry == account = acc - amount entry
      | to entry == account = acc |+| amount entry
      | otherwise = acc

classify :: Amount -> String
classify n
  | n < 0 = "debt"
  | n == 0, True <- even n = "nothing"
  | otherwise = let k = n `div` 100
                    big = k > 10
                in if big then "rich" else "some"

parse :: String -> Maybe Entry
parse line = case words line of
  [a, b, n] -> Just (Entry (Bank a 0) (Bank b 0) (read n))
  ("#" : _) -> Nothing
  [] -> Nothing
  _ | length line > 80 -> Nothing
    | otherwise -> error ("bad line: " ++ line)

pairs :: [(Int, Char)]
pairs = [(x, c) | x <- [1 .. 3], c <- "ab", odd x]

safeDiv :: (Integral a, Show a) => a -> a -> Either String a
safeDiv _ 0 = Left "zero"
safeDiv x y = Right $ x `div` y

runLedger :: FilePath -> IO ()
runLedger path = do
  text <- readFile path
  let entries = mapMaybe parse (lines text)
      total = sum (map amount entries)
  unless (null entries) $ do
    putStrLn ("total: " <> show total)
    forM_ entries $ \entry -> print (amount entry)
  when (total > 1000) $
    putStrLn "large"
  let update = \case
        Cash -> 1
        _ -> 2
  mapM_ (print . update . to) entries
  return ()

compose :: (b -> c) -> (a -> b) -> a -> c
compose f g = \x -> f (g x)

table :: Map.Map String Int
table = Map.fromList [("one", 1), ("two", 2)]

lookupOr :: Int -> String -> Int
lookupOr d key = fromMaybe d (Map.lookup key table)

renamed :: Account -> Account
renamed loan@Loan {} = loan { lender = "me", rate = 0.5 * 2 }
renamed other = other
