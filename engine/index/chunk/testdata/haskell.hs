{- |
Module: Tree
-}
module Tree (insert, Tree(..)) where

import qualified Data.Map as Map
import Data.Maybe (fromMaybe)

-- | A binary tree.
data Tree a = Leaf | Node (Tree a) a (Tree a)
  deriving (Show)

newtype Depth = Depth Int

class Container f where
  empty :: f a
  toL :: f a -> [a]

instance Container Tree where
  empty = Leaf
  toL Leaf = []

-- | Puts a value in.
insert :: Ord a => a -> Tree a -> Tree a
insert x Leaf = Node Leaf x Leaf
insert x t@(Node l y r)
  | x < y = Node (insert x l) y r
  | otherwise = t

depth' :: Tree a -> Depth
depth' Leaf = Depth 0
depth' (Node l _ r) = Depth (1 + go l)
  where
    go _ = 1

{-# INLINE size #-}
size :: Tree a -> Int
#ifdef FAST
size = fast
#else
size Leaf = 0
size (Node l _ r) = size l + 1 + size r
#endif

deriving instance Eq a => Eq (Tree a)
