import { ledgerParts } from './script-parts.ts'
import { script } from '../redis/script.ts'

/**
 * Applies a batch of changes once. Each process numbers its batches; a number that was applied is ignored.
 * Returns which reservations are granted (1), or would be without what other processes hold of a budget (2). Those are
 * asked to give it back. What this process holds becomes less only by what it is granted.
 * If an earlier batch is missing, it returns that instead, with the milliseconds since the process was last heard of.
 * Redis has lost data if it has applied fewer batches than the process knows of. Then it applies no batch that
 * may be refused, and none until all processes have sent theirs again.
 * Values: process, number, whether nothing may be refused, the number that Redis must have (0 for none), how
 * many batches Redis has applied as far as the process knows, the clients with a budget of their own, the
 * changes, and for each change its reservation as it is stored.
 */
export const applyScript = script(`${ledgerParts}
  local number, isForced, required = tonumber(ARGV[2]), ARGV[3] == '1', tonumber(ARGV[4])
  local changes, values = cjson.decode(ARGV[7]), 7
  nameClients(ARGV[6])
  local last, applied, unsettled = progressOf(process)
  if last < math.min(required, number - 1) then
    local seen = redis.call('ZSCORE', prefix .. 'seen', process)
    return cjson.encode({
      gap = true, last = last, unseen = clock() - tonumber(seen or '0'), unsettled = unsettled,
    })
  end
  if not isForced and (unsettled or applied < tonumber(ARGV[5])) then
    return cjson.encode({ last = last, applied = applied, unsettled = unsettled })
  end
  local isKnown = number <= last

  -- The budgets that bound the changes.
  local bounds = {}
  local function boundsOf(change)
    local all = {}
    local function add(sums, limit)
      if limit < 0 then return end
      if not sums.limit then bounds[#bounds + 1] = sums end
      sums.limit = limit
      allotmentsOf(sums)
      all[#all + 1] = sums
    end
    add(ownersOf(change)[1], change.limit)
    if change.budget ~= '' then add(budgetOf(change.month, change.budget), change.budgetLimit) end
    return all
  end

  local function leftOf(sums) return sums.limit - sums[1] - sums[reserved] end

  -- Whether a reservation fits: 1 or 0, or 2 if it does not because of what others hold.
  local function fits(change)
    local all, granted = boundsOf(change), 1
    for _, sums in ipairs(all) do
      if leftOf(sums) + 1e-6 < change.tokens then return 0 end
    end
    for _, sums in ipairs(all) do
      local of = allotmentsOf(sums)
      if leftOf(sums) - of.others + 1e-6 < change.tokens then
        of.isNeeded = true
        granted = 2
      end
    end
    for _, sums in ipairs(granted == 1 and all or {}) do sums.taken = (sums.taken or 0) + change.tokens end
    return granted
  end

  -- An error between the writes would leave half of the batch, and it is sent again. So all keys are read first.
  local ids, held, opens = {}, {}, {}
  for at, change in ipairs(changes) do
    ids[at] = change.id
    ownersOf(change)
  end
  for at, stored in ipairs(send('HMGET', open, ids)) do held[ids[at]] = stored end
  if not isKnown then redis.call('ZCARD', leases) end
  for at, change in ipairs(isKnown and {} or changes) do
    if change.kind == 'open' then
      opens[change.id] = true
    else
      if not held[change.id] and not opens[change.id] and redis.call('ZSCORE', expired, change.id) then
        change.lost = estimated(ARGV[values + at])
        lookAt(change.lost)
      end
      for _, spent in ipairs(change.spent) do lookAt(spent) end
    end
  end
  readFigures()

  -- A reservation that is settled in the same batch is not stored.
  local granted, opened, closed, found, allotted = {}, {}, {}, {}, {}
  for at, change in ipairs(changes) do
    local id = change.id
    if change.kind == 'open' then
      local grant = held[id] and 1 or 0
      if not isKnown then grant = isForced and 1 or fits(change) end
      if grant == 1 and not isKnown then
        reserve(change, change.tokens)
        opened[id] = at
      end
      granted[#granted + 1] = grant
    elseif not isKnown then
      if opened[id] then
        opened[id] = nil
        reserve(change, -change.tokens)
      elseif held[id] then
        held[id] = nil
        closed[#closed + 1] = id
        reserve(change, -change.tokens)
      elseif change.lost then
        found[#found + 1] = id
        book(change.lost, -1)
      end
      for _, spent in ipairs(change.spent) do book(spent, 1) end
    end
  end
  if not isKnown then
    local rows, ends, now = {}, {}, (last == 0 or next(opened)) and clock()
    for at, change in ipairs(changes) do
      if opened[change.id] == at then
        rows[#rows + 1] = change.id
        rows[#rows + 1] = ARGV[values + at]
        ends[#ends + 1] = now + change.lease
        ends[#ends + 1] = change.id
      end
    end
    if last == 0 then redis.call('ZADD', prefix .. 'seen', 'NX', now, process) end
    write()
    for _, sums in ipairs(bounds) do
      local of = allotmentsOf(sums)
      local rest = math.max(of.own - (sums.taken or 0), math.min(of.own, math.floor(leftOf(sums) - of.others)), 0)
      if rest < of.own then allot(of, process, rest, of.since, of.number) end
      if of.isNeeded then allot(of, 'recalled', 0, of.now, 0) end
      if of.own > 0 or of.isNeeded then
        allotted[#allotted + 1] = { sums.whose, rest, (of.isRecalled or of.isNeeded) and 1 or 0 }
      end
    end
    send('HSET', open, rows)
    send('ZADD', leases, ends)
    send('HDEL', open, closed)
    send('ZREM', leases, closed)
    send('ZREM', expired, found)
    applied = applied + 1
    redis.call('HSET', prefix .. 'processes', process, number, 'applied', applied)
  end
  return answer({
    granted = granted, last = math.max(last, number), applied = applied, unsettled = unsettled, allotted = allotted,
  })
`)

/**
 * Notes that a process is alive, books expired reservations as estimated, deletes old data, and returns sums.
 * With `ahead`, reservations are judged at that many milliseconds from now. With `settling`, Redis grants nothing
 * until as many processes as this one knows of (`instances`) have sent all that they have, or for that many
 * milliseconds. A process has when it names its last batch (`complete`), and Redis has that. `ifMissing`: only if
 * some of the others have not been heard of for `missed` milliseconds, which are more than between two heartbeats.
 * A command may wait in a connection while Redis hangs, and its process goes on alone. So it tells nothing new of a
 * process that has read no reply for `silent` milliseconds. `heard`: Redis' time in the last one. Processes that were
 * heard of in the last `ended` milliseconds are counted as instances.
 */
export const beatScript = script(`${ledgerParts}
  local ahead, asked, settling = tonumber(ARGV[2]), cjson.decode(ARGV[3]), tonumber(ARGV[5])
  local instances, complete, ifMissing, heard = tonumber(ARGV[7]), tonumber(ARGV[8]), ARGV[9] == '1', tonumber(ARGV[10])
  local missed, silent, ended = tonumber(ARGV[11]), tonumber(ARGV[12]), tonumber(ARGV[13])
  local now, day = clock(), 86400000
  nameClients(ARGV[6])
  local last, applied, unsettled = progressOf(process)
  local processes, completed = prefix .. 'processes', prefix .. 'complete'
  local isInTouch = now - heard <= silent
  local seenAt = isInTouch and now or math.max(now - silent, tonumber(redis.call('ZSCORE', prefix .. 'seen', process) or '0'))
  redis.call('ZADD', prefix .. 'seen', seenAt, process)
  -- Redis' clock may have been set back: a later time is nobody's sign of life.
  local function heardWithin(ms) return redis.call('ZCOUNT', prefix .. 'seen', now - ms, now + 60000) end
  -- Those that have taken leave since this process last heard how many there are.
  instances = instances - (instances > 0 and redis.call('ZCOUNT', prefix .. 'left', heard, '+inf') or 0)
  local others = heardWithin(missed) - (seenAt >= now - missed and 1 or 0)
  if settling > 0 then redis.call('SREM', completed, process) end
  if settling > 0 and (not ifMissing or (not unsettled and others < instances - 1)) then
    if not unsettled then redis.call('DEL', completed) end
    local awaited = unsettled and tonumber(redis.call('HGET', processes, 'awaited') or '0') or 0
    unsettled = math.max(unsettled or 0, settling)
    redis.call('HSET', processes, 'settled', text(now + unsettled), 'awaited', math.max(awaited, instances))
  elseif unsettled and isInTouch and instances > 0 and complete >= 0 and last >= complete then
    redis.call('SADD', completed, process)
    local awaited = tonumber(redis.call('HGET', processes, 'awaited') or '0')
    if awaited > 0 and redis.call('SCARD', completed) >= awaited then
      redis.call('HDEL', processes, 'settled', 'awaited')
      redis.call('DEL', completed)
      unsettled = nil
    end
  end
  local ids = redis.call('ZRANGEBYSCORE', leases, '-inf', now + ahead, 'LIMIT', 0, 500)
  local lost, booked = {}, {}
  for at, stored in ipairs(send('HMGET', open, ids)) do
    if stored then
      lost[#lost + 1] = estimated(stored)
      booked[#booked + 1] = now
      booked[#booked + 1] = ids[at]
      lookAt(lost[#lost])
    end
  end
  readFigures()
  for _, row in ipairs(lost) do
    reserve(row, -row.tokens)
    book(row, 1)
  end
  write()
  send('HDEL', open, ids)
  send('ZADD', expired, booked)
  send('ZREM', leases, ids)
  redis.call('ZREMRANGEBYSCORE', expired, '-inf', now - 40 * day)
  for _, list in ipairs({ prefix .. 'seen', prefix .. 'left' }) do
    for _, gone in ipairs(redis.call('ZRANGEBYSCORE', list, '-inf', now - 400 * day, 'LIMIT', 0, 100)) do
      redis.call('ZREM', list, gone)
      redis.call('HDEL', processes, gone)
    end
  end
  for _, old in ipairs(redis.call('ZRANGEBYSCORE', prefix .. 'days', '-inf', ARGV[4], 'LIMIT', 0, 10)) do
    for at = 1, reserved - 1 do redis.call('DEL', prefix .. 'day:' .. old .. ':' .. kinds[at]) end
    redis.call('ZREM', prefix .. 'days', old)
  end
  for _, old in ipairs(redis.call('ZRANGEBYSCORE', prefix .. 'sums', '-inf', ARGV[4], 'LIMIT', 0, 100)) do
    redis.call('DEL', prefix .. 'sums:' .. old)
    redis.call('ZREM', prefix .. 'sums', old)
  end
  -- Longer than any allotment lasts.
  for _, old in ipairs(redis.call('ZRANGEBYSCORE', prefix .. 'allotted', '-inf', now - 75000, 'LIMIT', 0, 1000)) do
    redis.call('DEL', prefix .. 'allotted:' .. old)
    redis.call('ZREM', prefix .. 'allotted', old)
  end
  for _, one in ipairs(asked) do
    local month, kind, name = unpack(one)
    tell(kind == 'client' and budgetOf(month, name) or sumsOf(month, kind, name))
  end
  return answer({
    now = now, instances = heardWithin(ended),
    last = last, applied = applied, unsettled = unsettled,
  })
`)

/**
 * Allots tokens of budgets to a process, which it may spend at once if Redis goes away. Returns for each wish what the
 * process holds now, what others hold, and whether all have been asked to give it back. It never holds less than it
 * has named, so it may believe that also if the reply is lost. Returns nothing while Redis lacks what processes have.
 * Values: process, the number of the wishes, how many batches Redis has applied as far as the process knows, the
 * clients with a budget of their own, and the wishes: month, kind and name of the budget, its tokens, how many of them
 * the process holds, and how many it wants at most.
 */
export const allotScript = script(`${ledgerParts}
  local number, wishes, all = tonumber(ARGV[2]), cjson.decode(ARGV[5]), {}
  nameClients(ARGV[4])
  local _, applied, unsettled = progressOf(process)
  if unsettled or applied < tonumber(ARGV[3]) then return '[]' end
  for at, wish in ipairs(wishes) do
    local month, kind, name, limit, holds, most = unpack(wish)
    local sums = kind == 'client' and budgetOf(month, name) or sumsOf(month, kind, name)
    local of = allotmentsOf(sums)
    if of.number < number then
      local free = math.floor(limit - sums[1] - sums[reserved] - of.others)
      of.own = math.max(0, math.min(most, math.max(math.min(of.own, holds), free)))
      allot(of, process, of.own, of.now, number)
    end
    all[at] = { of.own, of.others, of.isRecalled and 1 or 0 }
  end
  return cjson.encode(all)
`)

/**
 * A process ends. Its number stays as long as that of one that was killed: another process may send its batches.
 * Values: process.
 */
export const leaveScript = script(`${ledgerParts}
  redis.call('ZREM', prefix .. 'seen', ARGV[1])
  redis.call('ZADD', prefix .. 'left', clock(), ARGV[1])
  return ''
`)
