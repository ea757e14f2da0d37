/**
 * The keys of the ledger in Redis, below one prefix:
 * - `sums:MONTH:KIND:NAME`: a hash of sums of a key, of a client, or of all, deleted when all are zero; `sums`: those
 *   with spending, by month
 * - `day:DAY:SUM`: a hash of sums by cause
 * - `open`: reservations by id; `leases`: when each one expires
 * - `expired`: reservations that were booked as estimated
 * - `processes`: the number of each process's last batch; under `applied` how many batches were applied; under
 *   `settled` the time until which Redis waits for processes to send again what it has lost; under `awaited` for
 *   how many
 * - `complete`: processes that have sent it again
 * - `seen`: when each process was last heard of, without those in `left`
 * - `left`: when a process that was stopped has taken leave
 * - `allotted:MONTH:KIND:NAME`: the tokens of a budget that each process may spend at once if Redis goes away, with the
 *   time and the number of its wish; under `recalled` the time at which they were asked to give them back. `allotted`:
 *   when each of these hashes was last written. They do not expire, because Redis may evict what expires
 *
 * Commands take most of a script's time. So hashes are read once, changed in the script, and written at the
 * end, each by one command.
 */
export const ledgerParts = `
  local prefix = KEYS[1]
  local open, leases, expired = prefix .. 'open', prefix .. 'leases', prefix .. 'expired'
  local kinds = { 'tokens', 'estimated', 'bytes', 'calls', 'reserved' }
  local reserved = 5

  local function text(number) return string.format('%.17g', number) end

  local function clock()
    local time = redis.call('TIME')
    return time[1] * 1000 + math.floor(time[2] / 1000)
  end

  -- Returns the number of a process's last batch, how many batches of all were applied, and the milliseconds for
  -- which processes still send again what Redis has lost; nil if they do not.
  local function progressOf(process)
    local last, applied, settled = unpack(redis.call('HMGET', prefix .. 'processes', process, 'applied', 'settled'))
    local unsettled = settled and tonumber(settled) - clock() or 0
    -- The clock may have been set back.
    if unsettled <= 0 or unsettled > 60000 then unsettled = nil end
    return tonumber(last or '0'), tonumber(applied or '0'), unsettled
  end

  -- Sends a list to a key, in parts, because Lua bounds the number of arguments. Returns the last reply, or all values.
  local function send(command, key, list)
    local most, all = 1000, {}
    if #list == 0 then return all end
    if #list <= most then return redis.call(command, key, unpack(list)) end
    for from = 1, #list, most do
      local reply = redis.call(command, key, unpack(list, from, math.min(from + most - 1, #list)))
      if type(reply) == 'table' then
        for _, one in ipairs(reply) do all[#all + 1] = one end
      end
    end
    return all
  end

  -- Every client has sums, whether it has a budget or not: it may get one in the middle of a month.
  local known, order = {}, {}
  local function sumsOf(month, kind, name)
    local key = prefix .. 'sums:' .. month .. ':' .. kind .. ':' .. name
    local sums = known[key]
    if not sums then
      local read = redis.call('HMGET', key, unpack(kinds))
      sums = { key = key, whose = { month, kind, name }, read = read }
      for at = 1, reserved do
        if read[at] then read.isThere = true end
        read[at] = tonumber(read[at] or '0')
        sums[at] = read[at]
      end
      known[key] = sums
      order[#order + 1] = sums
    end
    return sums
  end

  -- The clients that have a budget of their own, if all others share one; empty if they do not.
  local named, isNamed = {}, nil
  local function nameClients(names)
    if names == '' then return end
    named, isNamed = cjson.decode(names), {}
    for _, name in ipairs(named) do isNamed[name] = true end
  end

  -- The sums of all clients without a budget of their own: only what a budget needs, the tokens and what is reserved.
  -- They are not stored, because a client may get one.
  local others = {}
  local function othersIn(month)
    if not others[month] then
      local all = sumsOf(month, 'all', '')
      local tokens, held = all[1], all[reserved]
      for _, name in ipairs(named) do
        local key = prefix .. 'sums:' .. month .. ':client:' .. name
        local of = known[key]
        local read = of and { of[1], of[reserved] } or redis.call('HMGET', key, kinds[1], kinds[reserved])
        tokens, held = tokens - tonumber(read[1] or '0'), held - tonumber(read[2] or '0')
      end
      others[month] = { tokens, 0, 0, 0, held, whose = { month, 'client', '*' } }
    end
    return others[month]
  end

  local function budgetOf(month, budget)
    if budget == '*' then return othersIn(month) end
    return sumsOf(month, 'client', budget)
  end

  -- What processes hold of a budget, so that each may spend it at once if Redis goes away. An allotment ends if its
  -- process does not renew it in time.
  local process = ARGV[1]
  local function allotmentsOf(sums)
    if not sums.allotted then
      local name = table.concat(sums.whose, ':')
      local list, now = redis.call('HGETALL', prefix .. 'allotted:' .. name), clock()
      redis.call('ZSCORE', prefix .. 'allotted', name)
      local of = { name = name, now = now, own = 0, others = 0, number = 0 }
      for at = 1, #list, 2 do
        local tokens, since, number = string.match(list[at + 1], '(%S+) (%S+) (%S+)')
        local age = now - tonumber(since)
        local isOver = age >= 20000 or age <= -60000
        if list[at] == 'recalled' then
          of.isRecalled = age > -60000 and age < 60000
        elseif list[at] == process then
          of.own, of.number, of.since = isOver and 0 or tonumber(tokens), tonumber(number), since
        elseif not isOver then
          of.others = of.others + tonumber(tokens)
        end
      end
      sums.allotted = of
    end
    return sums.allotted
  end

  local function allot(of, holder, tokens, since, number)
    redis.call('HSET', prefix .. 'allotted:' .. of.name, holder, text(tokens) .. ' ' .. text(since) .. ' ' .. text(number))
    redis.call('ZADD', prefix .. 'allotted', of.now, of.name)
  end

  -- The sums that are returned.
  local told = {}
  local function tell(sums)
    if not sums.isTold then told[#told + 1] = sums end
    sums.isTold = true
    return sums
  end

  local function ownersOf(row)
    if not row.owners then
      row.owners = {
        tell(sumsOf(row.month, 'key', row.key)), tell(sumsOf(row.month, 'all', '')), sumsOf(row.month, 'client', row.client),
      }
      if isNamed and not isNamed[row.client] then row.owners[4] = othersIn(row.month) end
      if row.budget ~= '' then tell(budgetOf(row.month, row.budget)) end
    end
    return row.owners
  end

  local function reserve(row, tokens)
    for _, sums in ipairs(ownersOf(row)) do sums[reserved] = sums[reserved] + tokens end
  end

  -- What is booked later: the days, and the figures of each cause by the key of their hash.
  local days, figures, hashes = {}, {}, {}
  local function lookAt(row)
    ownersOf(row)
    if days[row.day] == nil then days[row.day] = redis.call('ZSCORE', prefix .. 'days', row.day) end
    for at = 1, reserved - 1 do
      if row[kinds[at]] ~= 0 then
        local key = prefix .. 'day:' .. row.day .. ':' .. kinds[at]
        local hash = figures[key]
        if not hash then
          hash = { key = key, causes = {}, of = {} }
          figures[key] = hash
          hashes[#hashes + 1] = hash
        end
        if not hash.of[row.cause] then hash.causes[#hash.causes + 1] = row.cause end
        hash.of[row.cause] = 0
      end
    end
  end

  local function readFigures()
    for _, hash in ipairs(hashes) do
      for at, figure in ipairs(send('HMGET', hash.key, hash.causes)) do
        hash.of[hash.causes[at]] = tonumber(figure or '0')
      end
    end
  end

  local function book(row, sign)
    for at = 1, reserved - 1 do
      local by = sign * row[kinds[at]]
      for _, sums in ipairs(ownersOf(row)) do sums[at] = sums[at] + by end
      if by ~= 0 then
        local of = figures[prefix .. 'day:' .. row.day .. ':' .. kinds[at]].of
        of[row.cause] = of[row.cause] + by
      end
    end
  end

  -- Whether figures of sums are all zero. Reservations of several calls may leave a rest of rounding.
  local function areZero(figures, last)
    for at = 1, last do
      if math.abs(figures[at]) > 1e-6 then return false end
    end
    return true
  end

  -- Sums that are all zero are of a key that the service has refused. Made-up keys must not fill Redis.
  local function writeSums(sums)
    local changed = {}
    for at, kind in ipairs(kinds) do
      if sums[at] ~= sums.read[at] then
        changed[#changed + 1] = kind
        changed[#changed + 1] = text(sums[at])
      end
    end
    if not areZero(sums, reserved) then
      send('HSET', sums.key, changed)
    elseif sums.read.isThere then
      redis.call('DEL', sums.key)
    end
  end

  local function write()
    local spent = {}
    for _, sums in ipairs(order) do
      if areZero(sums.read, reserved - 1) and not areZero(sums, reserved - 1) then
        local month, kind, name = unpack(sums.whose)
        spent[#spent + 1] = string.gsub(month, '-', '') .. '31'
        spent[#spent + 1] = month .. ':' .. kind .. ':' .. name
      end
    end
    -- It comes first, because its key was not read.
    send('ZADD', prefix .. 'sums', spent)
    for _, sums in ipairs(order) do writeSums(sums) end
    for _, hash in ipairs(hashes) do
      local changed = {}
      for _, cause in ipairs(hash.causes) do
        changed[#changed + 1] = cause
        changed[#changed + 1] = text(hash.of[cause])
      end
      send('HSET', hash.key, changed)
    end
    for day, score in pairs(days) do
      if not score then redis.call('ZADD', prefix .. 'days', string.gsub(day, '-', ''), day) end
    end
  end

  -- A stored reservation, as it is booked if it is lost.
  local function estimated(stored)
    local row = cjson.decode(stored)
    row.cause = cjson.encode({ row.hour, row.key, row.client, row.operation, row.service })
    return row
  end

  local function answer(answered)
    answered.sums = {}
    for index, sums in ipairs(told) do
      local month, kind, name = unpack(sums.whose)
      answered.sums[index] = { month, kind, name, { unpack(sums, 1, reserved) } }
    end
    return cjson.encode(answered)
  end
`
