-- | Renews the keys: rotate.
rotate :: Int -> Int
rotate now = now + 1

login s = rotate s
