(ns shop.cart
  (:require [clojure.string :as str]))

(def ^:private limit 10)

;; Adds an item.
(defn add
  "Adds item to cart."
  [cart item]
  (update cart :items conj item))

(defmulti price :kind)
(defmethod price :book [b] (:cents b))
(defprotocol Priced (cents [this]))
