local keys = require("rotate")
local Sessions = {}

-- Renews the keys.
function Sessions:rotate(now)
  self:rotate(now)
  self.rotate(now)
end

local function rotate(now) return now end

function Sessions.login(s, rotate)
  s:rotate(1)
  rotate(2)
  print("rotate")
end

return { rotate = rotate, x = Sessions.rotate }
