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
  local kinds = { 'tokens', 'estimated', 'bytes', 'calls', 'reserved' }
  local reserved = 5

  -- Sums are read once, changed here, and written at the end, because commands take most of a script's time.
  local known, order = {}, {}
  local function sumsOf(month, kind, name)
    local key = prefix .. 'sums:' .. month .. ':' .. kind .. ':' .. name
    local sums = known[key]
    if not sums then
      local read = redis.call('HMGET', key, unpack(kinds))
      sums = { key = key, whose = { month, kind, name }, read = read }
      for at = 1, reserved do
        read[at] = tonumber(read[at] or '0')
        sums[at] = read[at]
      end
      known[key] = sums
      order[#order + 1] = sums
    end
    return sums
  end

  local function ownersOf(row)
    if not row.owners then
      row.owners = { sumsOf(row.month, 'key', row.key), sumsOf(row.month, 'all', '') }
      if row.budget ~= '' then row.owners[3] = sumsOf(row.month, 'client', row.budget) end
    end
    return row.owners
  end

  local function reserve(row, tokens)
    for _, sums in ipairs(ownersOf(row)) do sums[reserved] = sums[reserved] + tokens end
  end

  local function text(number) return string.format('%.17g', number) end
  local days = {}

  local function book(row, sign)
    local cause = cjson.encode({ row.hour, row.key, row.client, row.operation, row.service })
    for at = 1, reserved - 1 do
      local kind = kinds[at]
      local by = sign * row[kind]
      for _, sums in ipairs(ownersOf(row)) do sums[at] = sums[at] + by end
      if by ~= 0 then redis.call('HINCRBYFLOAT', prefix .. 'day:' .. row.day .. ':' .. kind, cause, text(by)) end
    end
    if not days[row.day] then redis.call('ZADD', prefix .. 'days', string.gsub(row.day, '-', ''), row.day) end
    days[row.day] = true
  end

  local function writeSums()
    for _, sums in ipairs(order) do
      local changed = {}
      for at, kind in ipairs(kinds) do
        if sums[at] ~= sums.read[at] then
          changed[#changed + 1] = kind
          changed[#changed + 1] = text(sums[at])
        end
      end
      if #changed > 0 then redis.call('HSET', sums.key, unpack(changed)) end
    end
  end

  local function answer(told)
    told.sums = {}
    for index, sums in ipairs(order) do
      local month, kind, name = unpack(sums.whose)
      told.sums[index] = { month, kind, name, { unpack(sums, 1, reserved) } }
    end
    return cjson.encode(told)
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
  local isGap = number > last + 1 and (before == 'WHOLE' or (before == 'REST' and last > 0))
  if isGap then return cjson.encode({ gap = true, last = last }) end
  local isKnown = number <= last
  local open, leases, expired = prefix .. 'open', prefix .. 'leases', prefix .. 'expired'

  local function fits(row)
    local ofKey, _, ofClient = unpack(ownersOf(row))
    local function has(sums, limit)
      return limit < 0 or sums[1] + sums[reserved] + row.tokens <= limit + 1e-6
    end
    return has(ofKey, row.limit) and (row.budget == '' or has(ofClient, row.budgetLimit))
  end

  -- An error amid the changes would leave half of them, and the batch is sent again. So all keys are read first.
  local looked = {}
  local function look(command, key)
    if not looked[key] then redis.call(command, key, unpack(command == 'HEXISTS' and { '' } or {})) end
    looked[key] = true
  end
  local function lookAt(row)
    ownersOf(row)
    look('ZCARD', prefix .. 'days')
    for at = 1, reserved - 1 do
      if row[kinds[at]] ~= 0 then look('HEXISTS', prefix .. 'day:' .. row.day .. ':' .. kinds[at]) end
    end
  end
  if not isKnown then
    look('HEXISTS', open)
    look('ZCARD', leases)
    if last == 0 then redis.call('ZADD', prefix .. 'seen', 'NX', now, process) end
  end
  for _, change in ipairs(changes) do
    ownersOf(change.opened)
    if change.kind == 'settle' and not isKnown then
      if redis.call('ZSCORE', expired, change.opened.id) then lookAt(change.opened) end
      for _, spent in ipairs(change.spent) do lookAt(spent) end
    end
  end

  local granted = {}
  for _, change in ipairs(changes) do
    local row = change.opened
    if change.kind == 'open' then
      if isKnown then
        granted[#granted + 1] = redis.call('HEXISTS', open, row.id)
      elseif isForced or fits(row) then
        reserve(row, row.tokens)
        row.owners = nil
        redis.call('HSET', open, row.id, cjson.encode(row))
        redis.call('ZADD', leases, now + row.lease, row.id)
        granted[#granted + 1] = 1
      else
        granted[#granted + 1] = 0
      end
    elseif not isKnown then
      if redis.call('HDEL', open, row.id) == 1 then
        redis.call('ZREM', leases, row.id)
        reserve(row, -row.tokens)
      elseif redis.call('ZREM', expired, row.id) == 1 then
        book(row, -1)
      end
      for _, spent in ipairs(change.spent) do book(spent, 1) end
    end
  end
  if not isKnown then
    writeSums()
    redis.call('HSET', prefix .. 'processes', process, number)
  end
  return answer({ granted = granted, last = math.max(last, number) })
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
  writeSums()
  redis.call('ZREMRANGEBYSCORE', prefix .. 'expired', '-inf', now - 40 * day)
  for _, gone in ipairs(redis.call('ZRANGEBYSCORE', prefix .. 'seen', '-inf', now - 40 * day, 'LIMIT', 0, 100)) do
    redis.call('ZREM', prefix .. 'seen', gone)
    redis.call('HDEL', prefix .. 'processes', gone)
  end
  for _, old in ipairs(redis.call('ZRANGEBYSCORE', prefix .. 'days', '-inf', ARGV[4], 'LIMIT', 0, 10)) do
    for at = 1, reserved - 1 do redis.call('DEL', prefix .. 'day:' .. old .. ':' .. kinds[at]) end
    redis.call('ZREM', prefix .. 'days', old)
  end
  for _, one in ipairs(asked) do sumsOf(one[1], one[2], one[3]) end
  local instances = redis.call('ZCOUNT', prefix .. 'seen', now - 15000, '+inf')
  local last = tonumber(redis.call('HGET', prefix .. 'processes', process) or '0')
  return answer({ instances = instances, last = last })
`)
