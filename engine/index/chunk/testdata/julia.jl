module Shapes
using LinearAlgebra
export area

"""
A circle.
"""
struct Circle <: Shape
    r::Float64
end

area(c::Circle) = pi * c.r^2

function scale!(c, k)
    c.r *= k
end

end
