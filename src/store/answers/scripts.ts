import { script } from '../redis/script.ts'

/** The length of an answer's prefix: the id of the instance that bought it, and the time. */
export const writerBytes = 12
const momentBytes = 20

/** Begins the name of an answer whose own bytes are counted. Earlier versions wrote none. */
export const countedName = '#'

/** Measured: bytes that Redis takes for an answer in a hash and in an index, and its allocator's largest loss. */
const [overheadBytes, loss] = [200, 1.25]

/**
 * Stores answers and releases leases. An account has a hash of answers by name, an index of names by the
 * number of their last change, and the sum of bytes. Numbers are Redis' time in microseconds, and rise with
 * each change. A full Redis may have evicted one of the three. Then the others are deleted, because the sum
 * of bytes would stay wrong.
 * Keys: index, answers, size, leases. Values: writer, milliseconds that answers are kept, maximum bytes, and
 * name and answer in turn, each answer with its prefix: a script takes 10 µs to join 8 kB to a prefix.
 */
export const settleScript = script(`
local index, answers, size = KEYS[1], KEYS[2], KEYS[3]
local function bytesOf(name, length)
  if string.sub(name, 1, 1) ~= '${countedName}' then return length end
  return ${overheadBytes} + math.floor(${loss} * length)
end
local function momentOf(answer) return string.sub(answer, ${writerBytes + 1}, ${writerBytes + momentBytes}) end
local function put()
  local time = redis.call('TIME')
  local number = time[1] * 1000000 + time[2]
  local last = redis.call('ZREVRANGE', index, 0, 0, 'WITHSCORES')
  if last[2] and tonumber(last[2]) >= number then number = tonumber(last[2]) + 1 end
  if redis.call('EXISTS', index, answers, size) < 3 then redis.call('DEL', index, answers, size) end
  local fields, numbers, more = {}, {}, 0
  for n = 4, #ARGV, 2 do
    local form, answer = ARGV[n], ARGV[n + 1]
    local before = redis.call('HGET', answers, form)
    if not before or momentOf(before) <= momentOf(answer) then
      more = more + bytesOf(form, #answer) - (before and bytesOf(form, #before) or 0)
      fields[#fields + 1] = form
      fields[#fields + 1] = answer
      numbers[#numbers + 1] = string.format('%.0f', number)
      numbers[#numbers + 1] = form
      number = number + 1
    end
  end
  if #fields > 0 then
    redis.call('HSET', answers, unpack(fields))
    redis.call('ZADD', index, unpack(numbers))
  end
  local bytes = redis.call('INCRBY', size, more)
  local aged = number - ARGV[2] * 1000
  while true do
    local first = redis.call('ZRANGE', index, 0, 0, 'WITHSCORES')
    if not first[1] or (tonumber(first[2]) >= aged and bytes <= tonumber(ARGV[3])) then break end
    bytes = redis.call('DECRBY', size, bytesOf(first[1], redis.call('HSTRLEN', answers, first[1])))
    redis.call('HDEL', answers, first[1])
    redis.call('ZREM', index, first[1])
  end
  for n = 1, 3 do redis.call('PEXPIRE', KEYS[n], ARGV[2]) end
end
if #ARGV > 3 then put() end
for n = 4, #KEYS do
  if redis.call('GET', KEYS[n]) == ARGV[1] then redis.call('DEL', KEYS[n]) end
end
`)

/**
 * Returns answers that others have stored since a number, and grants leases: the number of the last answer,
 * whether there are more, which leases are granted, and the answers.
 * Keys: index, answers, leases. Values: number, id of the caller, milliseconds of a lease, maximum bytes to
 * return, and OWN if the caller's own answers are to be returned too.
 */
export const takeScript = script(`
local found, cursor, bytes, more = {}, ARGV[1], 0, 0
local news = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. cursor, '+inf', 'WITHSCORES', 'LIMIT', 0, 200)
if #news == 400 then more = 1 end
for n = 1, #news, 2 do
  local answer = redis.call('HGET', KEYS[2], news[n])
  cursor = news[n + 1]
  if answer and (ARGV[5] == 'OWN' or string.sub(answer, 1, ${writerBytes}) ~= ARGV[2]) then
    found[#found + 1] = string.sub(answer, ${writerBytes + momentBytes + 1})
    bytes = bytes + #answer
  end
  if bytes > tonumber(ARGV[4]) then
    more = 1
    break
  end
end
local granted = {}
for n = 3, #KEYS do
  if redis.call('SET', KEYS[n], ARGV[2], 'NX', 'PX', ARGV[3]) then
    granted[n - 2] = 1
  elseif redis.call('GET', KEYS[n]) == ARGV[2] then
    redis.call('PEXPIRE', KEYS[n], ARGV[3])
    granted[n - 2] = 1
  else
    granted[n - 2] = 0
  end
end
return { cursor, more, granted, found }
`)

/** The stored answer of a name; nothing if there is none. Keys: answers. Values: name. */
export const findScript = script(`
local answer = redis.call('HGET', KEYS[1], ARGV[1])
return answer and string.sub(answer, ${writerBytes + momentBytes + 1})
`)

/** Renews leases. Keys: leases. Values: the holder's id, and milliseconds. */
export const renewScript = script(`
for _, lease in ipairs(KEYS) do
  if redis.call('GET', lease) == ARGV[1] then redis.call('PEXPIRE', lease, ARGV[2]) end
end
`)
