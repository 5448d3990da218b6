/**
 * Invalid values and expiries count as zero, so a stray value cannot block a client. Windows end on
 * whole seconds, so all replicas report the same reset.
 */
const readCounter = `
local time = redis.call('TIME')
local now = tonumber(time[1])
local nowMs = now * 1000 + time[2] / 1000
local function readWindow(key, seconds)
  local ttl = redis.call('PTTL', key)
  if ttl > 0 and ttl <= (seconds + 1) * 1000 then
    local used = redis.pcall('GET', key)
    if type(used) == 'table' and not string.find(used.err, 'WRONGTYPE') then error(used.err) end
    if used == '0' or type(used) == 'string' and #used <= 10 and string.find(used, '^[1-9]%d*$') then
      return tonumber(used), math.floor((nowMs + ttl) / 1000 + 0.5)
    end
  end
  return 0, now + seconds
end`

/**
 * Checks and counts several requests in order. KEYS: the counters, request by request. ARGV for
 * each request: 1 to count or 0 to read, the number of windows, then limit and seconds of each.
 * Returns a flat list: the time, then for each request 1 (allowed) or 0 and `used`, `reset` of each
 * window.
 */
export const consumeScript = `${readCounter}
local keysTaken, numbersTaken, results = 0, 0, { now }
local function takeKey()
  keysTaken = keysTaken + 1
  return KEYS[keysTaken]
end
local function takeNumber()
  numbersTaken = numbersTaken + 1
  return tonumber(ARGV[numbersTaken])
end
local function append(number)
  results[#results + 1] = number
end

local key, used, reset = {}, {}, {}
while numbersTaken < #ARGV do
  local counts = takeNumber() == 1
  local windows = takeNumber()
  local allowed = true
  for i = 1, windows do
    local limit, seconds = takeNumber(), takeNumber()
    key[i] = takeKey()
    used[i], reset[i] = readWindow(key[i], seconds)
    if used[i] >= limit then allowed = false end
  end
  append(allowed and 1 or 0)
  for i = 1, windows do
    if counts and allowed then
      used[i] = used[i] + 1
      if used[i] == 1 then
        redis.call('SET', key[i], 1, 'EXAT', reset[i])
      else
        redis.call('INCR', key[i])
      end
    end
    append(used[i])
    append(reset[i])
  end
end
return results`

/**
 * Decrements the counter KEYS[1], a window of ARGV[1] seconds, if it still ends at ARGV[2]. Returns
 * `used` and `reset`.
 */
export const releaseScript = `${readCounter}
local used, reset = readWindow(KEYS[1], tonumber(ARGV[1]))
if used > 0 and reset == tonumber(ARGV[2]) then
  used = redis.call('DECR', KEYS[1])
end
return { used, reset }`
