-- An event bus and a small object model.
local M = {}
local insert, concat = table.insert, table.concat
local LIMIT <const> = 32

local Bus = {}
Bus.__index = Bus

function M.new(name, options)
  options = options or {}
  local self = setmetatable({
    name = name,
    handlers = {},
    ["max-depth"] = options.depth or 3,
    [1] = "first",
    count = 0,
  }, Bus)
  return self
end

function Bus:on(event, handler, ...)
  assert(type(handler) == "function", "handler must be a function")
  local list = self.handlers[event]
  if not list then
    list = {}
    self.handlers[event] = list
  elseif #list >= LIMIT then
    error(("too many handlers for %s"):format(event), 2)
  else
    self.count = self.count + 1
  end
  insert(list, { fn = handler, args = { ... }, once = false })
  return self
end

function Bus:emit(event, ...)
  local list = self.handlers[event]
  if list == nil or #list == 0 then return false end
  for index, entry in ipairs(list) do
    local ok, err = pcall(entry.fn, ...)
    if not ok then
      print("handler " .. index .. " failed: " .. tostring(err))
    end
  end
  return true, #list
end

local function keys(map)
  local found = {}
  for key in pairs(map) do
    found[#found + 1] = key
  end
  table.sort(found, function(a, b) return a < b end)
  return found
end

M.util = {
  keys = keys,
  trim = function(s)
    return (s:gsub("^%s+", ""):gsub("%s+$", ""))
  end,
  range = function(from, to, step)
    local list = {}
    for i = from, to, step or 1 do
      list[#list + 1] = i
    end
    return list
  end,
}

local function wait(seconds)
  local start = os.clock()
  while os.clock() - start < seconds do
    coroutine.yield()
  end
end

local function retry(times, fn)
  local attempt = 0
  repeat
    attempt = attempt + 1
    if fn(attempt) then break end
  until attempt >= times
  do
    local rest = times - attempt
    M.rest = rest
  end
  return attempt
end

function M.describe(value)
  local kind = type(value)
  if kind == "string" then
    return '"' .. value .. '"'
  elseif kind == "number" and value % 1 == 0 then
    return string.format("%d", value // 1)
  elseif kind == "table" then
    local parts = {}
    for k, v in pairs(value) do
      insert(parts, k .. "=" .. M.describe(v))
    end
    return "{" .. concat(parts, ", ") .. "}"
  end
  return tostring(value)
end

local help = [[
usage: events [name]
]]

local co = coroutine.create(function(a, b)
  local c = coroutine.yield(a + b)
  wait(0.1)
  return c ^ 2 ~= 4 and -c or ~0x0F & 3
end)

for _, name in ipairs({ "open", "close" }) do
  if name == "skip" then goto continue end
  M.new(name):on("x", print):emit("x", 1, nil, true)
  ::continue::
end

M.help = help
M.co = co
M.retry = retry
local a <close>, b = nil, not M.help
return M
