/**
 * How a counter stands by Redis's own clock: how many were counted, and when its window ends. One
 * without an end, with an end too far away or without a number that can be counted to is not ours, and as good as none
 * (decision 37): the first of its window is written over it. Windows end on whole seconds, so that
 * every replica tells the same reset.
 */
const counters = `
local time = redis.call('TIME')
local now = tonumber(time[1])
local nowMs = now * 1000 + time[2] / 1000
local function standing(key, seconds)
  local ttl = redis.call('PTTL', key)
  if ttl > 0 and ttl <= (seconds + 1) * 1000 then
    local used = redis.pcall('GET', key)
    if used == '0' or type(used) == 'string' and #used <= 10 and string.find(used, '^[1-9]%d*$') then
      return tonumber(used), math.floor((nowMs + ttl) / 1000 + 0.5)
    end
  end
  return 0, now + seconds
end`

/**
 * Judges several requests one after the other, each as if it had come alone. KEYS are the windows'
 * counters, request by request; ARGV has for each request 1 to count or 0 to look, how many windows
 * it has, and their limits and seconds. Returns { now, allowed, used, reset, used, reset, …, allowed,
 * … }.
 */
export const limiterScript = `${counters}
local result, key, arg = { now }, 0, 0
while key < #KEYS do
  local counts, windows = ARGV[arg + 1] == '1', tonumber(ARGV[arg + 2])
  local at, allowed = #result + 1, 1
  for i = 1, windows do
    local used, reset = standing(KEYS[key + i], tonumber(ARGV[arg + 2 + 2 * i]))
    if used >= tonumber(ARGV[arg + 1 + 2 * i]) then allowed = 0 end
    result[at + 2 * i - 1], result[at + 2 * i] = used, reset
  end
  result[at] = allowed
  for i = 1, counts and allowed == 1 and windows or 0 do
    local used = result[at + 2 * i - 1] + 1
    if used == 1 then
      redis.call('SET', KEYS[key + i], 1, 'EXAT', result[at + 2 * i])
    else
      redis.call('INCR', KEYS[key + i])
    end
    result[at + 2 * i - 1] = used
  end
  key, arg = key + windows, arg + 2 + 2 * windows
end
return result`

/**
 * Takes one from the counter KEYS[1], of ARGV[1] seconds, if its window still is the one that ends at
 * ARGV[2]: a newer one has never counted it. Returns { used, reset }.
 */
export const giveBackScript = `${counters}
local used, reset = standing(KEYS[1], tonumber(ARGV[1]))
if used > 0 and reset == tonumber(ARGV[2]) then
  used = redis.call('DECR', KEYS[1])
end
return { used, reset }`
