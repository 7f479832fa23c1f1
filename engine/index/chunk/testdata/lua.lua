-- A module.
local json = require("json")
local M = {}

M.VERSION = "1.0"
local limit = 10

--- Adds two numbers.
-- @param a number
function M.add(a, b)
  return a + b
end

local function clamp(x)
  return math.min(x, limit)
end

function M:scale(k)
  self.k = clamp(k)
end

M.handler = function(event)
  return event
end

local settings = {
  color = "red",
  on_click = function(x)
    return x
  end,
}

function globalOne() return 1 end

do
  local seen = {}
  function M.once(key)
    seen[key] = true
  end
end

return M
