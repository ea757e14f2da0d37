import { script } from './redis.ts'

/**
 * The keys of the ledger in Redis, below one prefix:
 * - `sums:MONTH:KIND:NAME`: a hash of sums
 * - `day:DAY:SUM`: a hash of sums by cause
 * - `open`: reservations by id; `leases`: when each one expires
 * - `expired`: reservations that were booked as estimated
 * - `processes`: the number of each process's last batch; `seen`: when each process was last heard of
 */
const shared = `
  local prefix = KEYS[1]
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local kinds = { 'tokens', 'estimated', 'bytes', 'calls' }

  local function sumsOf(month, kind, name) return prefix .. 'sums:' .. month .. ':' .. kind .. ':' .. name end
  local function text(number) return string.format('%.17g', number) end
  local function grow(key, field, by)
    if by ~= 0 then redis.call('HINCRBYFLOAT', key, field, text(by)) end
  end

  local touched = {}
  local order = {}
  local function touch(month, kind, name)
    local key = sumsOf(month, kind, name)
    if not touched[key] then
      touched[key] = true
      order[#order + 1] = { month, kind, name }
    end
    return key
  end

  local function owners(row)
    local list = { touch(row.month, 'key', row.key), touch(row.month, 'all', '') }
    if row.budget ~= '' then list[3] = touch(row.month, 'client', row.budget) end
    return list
  end

  local function reserve(row, tokens)
    for _, key in ipairs(owners(row)) do grow(key, 'reserved', tokens) end
  end

  local function book(row, sign)
    for _, key in ipairs(owners(row)) do
      for _, kind in ipairs(kinds) do grow(key, kind, sign * row[kind]) end
    end
    local cause = cjson.encode({ row.hour, row.key, row.client, row.operation, row.service })
    for _, kind in ipairs(kinds) do grow(prefix .. 'day:' .. row.day .. ':' .. kind, cause, sign * row[kind]) end
    local number = string.gsub(row.day, '-', '')
    redis.call('ZADD', prefix .. 'days', number, row.day)
  end

  local function figure(key, field) return tonumber(redis.call('HGET', key, field) or '0') end

  local function answer(granted)
    local sums = {}
    for index, one in ipairs(order) do
      local key = sumsOf(one[1], one[2], one[3])
      local fields = redis.call('HMGET', key, 'tokens', 'estimated', 'bytes', 'calls', 'reserved')
      for at = 1, 5 do fields[at] = tonumber(fields[at] or '0') end
      sums[index] = { one[1], one[2], one[3], fields }
    end
    local instances = redis.call('ZCOUNT', prefix .. 'seen', now - 15000, '+inf')
    local last = tonumber(redis.call('HGET', prefix .. 'processes', ARGV[1]) or '0')
    return cjson.encode({ granted = granted, sums = sums, instances = instances, last = last })
  end
`

/**
 * Applies a batch of changes once. Each process numbers its batches; a number that was applied is ignored.
 * Returns which reservations are granted, or that an earlier batch is missing. `WHOLE` requires all earlier
 * numbers, `REST` all after the last known one, `ANY` none.
 */
export const applyScript = script(`${shared}
  local process, number, isForced = ARGV[1], tonumber(ARGV[2]), ARGV[3] == '1'
  local changes, before = cjson.decode(ARGV[4]), ARGV[5]
  local last = tonumber(redis.call('HGET', prefix .. 'processes', process) or '0')
  redis.call('ZADD', prefix .. 'seen', now, process)
  local isGap = number > last + 1 and (before == 'WHOLE' or (before == 'REST' and last > 0))
  if isGap then return cjson.encode({ gap = true, last = last }) end
  local isKnown = number <= last

  local function fits(row, ask)
    local function has(key, limit)
      return limit < 0 or figure(key, 'tokens') + figure(key, 'reserved') + ask <= limit + 1e-6
    end
    return has(sumsOf(row.month, 'key', row.key), row.limit)
      and (row.budget == '' or has(sumsOf(row.month, 'client', row.budget), row.budgetLimit))
  end

  -- An error amid the changes would leave half of them, and the batch is sent again. So all keys are read first.
  local looked = {}
  local function look(command, key)
    if not looked[key] then redis.call(command, key, unpack(command == 'HEXISTS' and { '' } or {})) end
    looked[key] = true
  end
  local function lookAt(row)
    for _, key in ipairs(owners(row)) do look('HEXISTS', key) end
    for _, kind in ipairs(kinds) do look('HEXISTS', prefix .. 'day:' .. row.day .. ':' .. kind) end
  end
  if not isKnown then
    look('HEXISTS', prefix .. 'open')
    for _, name in ipairs({ 'leases', 'expired', 'days' }) do look('ZCARD', prefix .. name) end
    for _, change in ipairs(changes) do
      lookAt(change.opened)
      for _, spent in ipairs(change.spent or {}) do lookAt(spent) end
    end
  end

  local granted = {}
  for _, change in ipairs(changes) do
    local row = change.opened
    if change.kind == 'open' then
      owners(row)
      if isKnown then
        granted[#granted + 1] = redis.call('HEXISTS', prefix .. 'open', row.id)
      elseif isForced or fits(row, row.tokens) then
        redis.call('HSET', prefix .. 'open', row.id, cjson.encode(row))
        redis.call('ZADD', prefix .. 'leases', now + row.lease, row.id)
        reserve(row, row.tokens)
        granted[#granted + 1] = 1
      else
        granted[#granted + 1] = 0
      end
    elseif not isKnown then
      owners(row)
      if redis.call('HDEL', prefix .. 'open', row.id) == 1 then
        redis.call('ZREM', prefix .. 'leases', row.id)
        reserve(row, -row.tokens)
      elseif redis.call('ZREM', prefix .. 'expired', row.id) == 1 then
        book(row, -1)
      end
      for _, spent in ipairs(change.spent) do book(spent, 1) end
    end
  end
  if not isKnown then redis.call('HSET', prefix .. 'processes', process, number) end
  return answer(granted)
`)

/**
 * Notes that a process is alive, books expired reservations as estimated, deletes old data, and returns sums.
 * With `ahead`, reservations are judged at that many milliseconds from now.
 */
export const beatScript = script(`${shared}
  local process, ahead, asked = ARGV[1], tonumber(ARGV[2]), cjson.decode(ARGV[3])
  local day = 86400000
  if process ~= '' then redis.call('ZADD', prefix .. 'seen', now, process) end
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', prefix .. 'leases', '-inf', now + ahead, 'LIMIT', 0, 500)) do
    local opened = redis.call('HGET', prefix .. 'open', id)
    if opened then
      local row = cjson.decode(opened)
      reserve(row, -row.tokens)
      book(row, 1)
      redis.call('HDEL', prefix .. 'open', id)
      redis.call('ZADD', prefix .. 'expired', now, id)
    end
    redis.call('ZREM', prefix .. 'leases', id)
  end
  redis.call('ZREMRANGEBYSCORE', prefix .. 'expired', '-inf', now - 40 * day)
  for _, gone in ipairs(redis.call('ZRANGEBYSCORE', prefix .. 'seen', '-inf', now - 40 * day, 'LIMIT', 0, 100)) do
    redis.call('ZREM', prefix .. 'seen', gone)
    redis.call('HDEL', prefix .. 'processes', gone)
  end
  for _, old in ipairs(redis.call('ZRANGEBYSCORE', prefix .. 'days', '-inf', ARGV[4], 'LIMIT', 0, 10)) do
    for _, kind in ipairs(kinds) do redis.call('DEL', prefix .. 'day:' .. old .. ':' .. kind) end
    redis.call('ZREM', prefix .. 'days', old)
  end
  for _, one in ipairs(asked) do touch(one[1], one[2], one[3]) end
  return answer({})
`)
