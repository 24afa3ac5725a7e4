import { defined } from '#kit/domain/defined.ts'
import { notFound, refuse, staleVersion, invalidInput, Refused, resultCode } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import { maskRows } from '#kit/server/privacy.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, requireById, findAll } from '#kit/server/table.ts'
import { live, touch, code } from '#kit/server/sql.ts'
import { room, type Room } from '#modules/rooms/contract/room.ts'
import { checkInAgain, checkOut, previewMove, transferRoom, type TransferInput } from '../contract/move.ts'
import { residency, type Residency } from '../contract/residency.ts'
import { resident, type Resident } from '../contract/resident.ts'
import { normalizeCertNo } from '../domain/person.ts'
import { residencyStatusMachine, findNextMainOwner } from '../domain/residency.ts'
import { syncRoomOccupancy } from './room-occupancy.ts'
import { insertResidencies, type NewResidency } from './residency-links.ts'
import { logResidencyChanges } from './residency-log.ts'
import {
  applyMove,
  assertMoveAllowed,
  planMoveSteps,
  unknownAnswerFaults,
  type NewOwner,
  type MoveContext,
} from './move-steps.ts'
import { findOrCreateResident } from './resident-record.ts'
import { residentDomainFilter, requireResident, findResidentsByIds } from './resident-access.ts'
import { residencyStatus, residentState } from '../contract/labels.ts'

type MoveAnswers = readonly { readonly key: string; readonly value: string }[] | undefined

const createAnswerLookup = (said: MoveAnswers) => {
  const all = new Map((said ?? []).map(a => [a.key, a.value]))
  return (key: string): string | undefined => all.get(key)
}

/** Running links of a room, those that came first before. */
export const findCurrentResidencies = (db: Db, scope: Scope, roomId: number): Promise<Residency[]> =>
  findAll(
    db,
    residency,
    scope,
    { order: 'id' },
    { where: [sql`t.room_id = ${roomId}`, sql`t.status = ${code(residencyStatus, 'living')}`] },
  )

/** Who was quicker, in words: the second of two clerks is told (G-8). */
async function concurrentChangeRefusal(tx: Tx, scope: Scope, l: Residency): Promise<Refused> {
  const last = await tx.one<{ operatorName?: string; day: Day; action: number }>(
    sql`
      select operator_name, day, action
      from user_room_log
      where owner_id = ${scope.ownerId} and link_id = ${l.id}
      order by id desc
      limit 1
    `,
  )
  const done = l.status === 'left' ? '已迁出' : l.status === 'living' ? '已在住' : undefined
  return done && last
    ? new Refused(
        resultCode.stale,
        `${l.userName}${done}（${last.day}，由${last.operatorName ?? '系统'}办理），请刷新后重试`,
      )
    : staleVersion()
}

/**
 * Links that a move speaks of, all of one room, with that room; held in a writing transaction, the room
 * before its links.
 */
async function loadRoomResidencies(
  db: Db | Tx,
  scope: Scope,
  ids: readonly string[],
  lock: boolean,
): Promise<{ room: Room; links: Residency[] }> {
  const asked = await findByIds(db, residency, scope, ids)
  if (!asked.length || asked.length !== new Set(ids.map(Number)).size) throw notFound()
  if (new Set(asked.map(l => l.roomId)).size > 1) return refuse('一次只能办理一个房间，请分开办理')
  const [r] = await findByIds(db, room, scope, [defined(asked[0]).roomId], lock)
  if (!r) return refuse('房间已被删除，不能办理')
  return { room: r, links: lock ? await findByIds(db, residency, scope, ids, true) : asked }
}

type MoveInput = Pick<MoveContext, 'scope' | 'today' | 'day'> & {
  readonly reason?: string | undefined
  readonly answers: MoveAnswers
}

export const createMoveContext = (
  kind: MoveContext['kind'],
  db: Db,
  c: MoveInput,
  r: Room,
  links: readonly Residency[],
  stays: readonly Residency[],
  more: Partial<MoveContext> = {},
): MoveContext => {
  const strange = unknownAnswerFaults(kind, c.answers)
  if (strange.length) throw invalidInput(strange)
  return {
    kind,
    db,
    scope: c.scope,
    today: c.today,
    day: c.day,
    room: r,
    residencies: links,
    remaining: stays,
    newOwners: [],
    moveIn: false,
    leavesEmpty: !stays.some(s => s.inDate),
    answerOf: createAnswerLookup(c.answers),
    reason: c.reason,
    ...more,
  }
}

const assertLeavingDay = (links: readonly Residency[], day: Day, today: Day, field: string): void => {
  if (day > today) throw invalidInput([{ Field: field, Message: '日期不能晚于今天，请到当天再办理' }])
  const early = links.find(l => l.inDate && l.inDate > day)
  if (early)
    throw invalidInput([
      { Field: field, Message: `${early.userName} ${early.inDate} 才入住，日期不能早于它` },
    ])
}

/**
 * Ends links: the record, its history, the main owner that follows (BASE-11). The caller then lets every part
 * act and the room follow.
 */
export async function endResidencies(tx: Tx, m: MoveContext, action: 'movedOut' | 'soldOut'): Promise<void> {
  const { scope, residencies, remaining, day, reason } = m
  const ids = residencies.map(l => l.id)
  await assertMoveAllowed(m)
  if (!residencies.length) return
  const done = await tx.execute(
    sql`
      update user_room
      set status = ${code(residencyStatus, 'left')}, out_date = ${day}, ${touch(scope)}
      where owner_id = ${scope.ownerId}
        and id = any(${ids})
        and status = ${code(residencyStatus, 'living')}
        and ${live()}
    `,
  )
  if (done !== ids.length) throw staleVersion()
  await logResidencyChanges(
    tx,
    scope,
    residencies.map(l => ({ link: l, userName: l.userName ?? '', action, day, reason })),
  )
  const heir =
    action === 'movedOut' && residencies.some(l => l.isMain) ? findNextMainOwner(remaining) : undefined
  if (!heir || heir.isMain) return
  await tx.execute(
    sql`
      update user_room
      set is_main = true, version = version + 1, update_time = now()
      where owner_id = ${scope.ownerId} and id = ${heir.id}
    `,
  )
  await logResidencyChanges(tx, scope, [
    { link: heir, userName: heir.userName ?? '', action: 'mainSet', day, detail: '原主业主迁出' },
  ])
}

const splitForTransfer = async (
  db: Db,
  scope: Scope,
  r: Room,
  familyLeaves: boolean,
): Promise<{ links: Residency[]; stays: Residency[] }> => {
  const all = await findCurrentResidencies(db, scope, r.id)
  const leaves = (l: Residency): boolean =>
    l.relation === 'owner' || (familyLeaves && l.relation === 'family')
  return { links: all.filter(leaves), stays: all.filter(l => !leaves(l)) }
}

type NamedOwner = {
  readonly id?: number | undefined
  readonly name: string
  readonly isMain?: boolean | undefined
  readonly isPayer?: boolean | undefined
}

/**
 * Who comes and who goes when a room is sold: one main owner; a leaving payer's place goes to him, who pays
 * for a tenant's sake goes on paying (BASE-17).
 */
function planOwnerChange(
  people: readonly NamedOwner[],
  links: readonly Residency[],
  stays: readonly Residency[],
): { comers: NewOwner[]; ending: Residency[]; staying: Residency[]; there: Residency[] } {
  const same = people.find(
    p => p.id !== undefined && links.some(l => l.userId === p.id && l.relation === 'owner'),
  )
  if (same) return refuse(`${same.name}已经是该房间的业主，请在住户关系里修改`)
  // A tenant who buys stops renting; a new owner who is there already becomes one.
  const there = stays.filter(s => people.some(p => p.id === s.userId))
  const ending = [...links, ...there]
  const main = Math.max(
    0,
    people.findIndex(p => p.isMain),
  )
  const named = people.findIndex(p => p.isPayer)
  const payer = named >= 0 ? named : ending.some(l => l.isPayer) ? main : -1
  return {
    comers: people.map((p, i) => ({ id: p.id, name: p.name, isMain: i === main, isPayer: i === payer })),
    ending,
    staying: stays.filter(s => !there.includes(s)),
    there,
  }
}

type PreviewOwners = NonNullable<NonNullable<typeof previewMove.input.T>['people']>

/**
 * New owners of a preview by the names that they will have: known ones by id, or under their telephone or
 * document.
 */
async function resolvePreviewOwners(db: Db, scope: Scope, people: PreviewOwners): Promise<NamedOwner[]> {
  const mobiles = people.flatMap(p => p.mobile ?? [])
  const certs = people.flatMap(p => (p.certNo ? [normalizeCertNo(p.certNo)] : []))
  const chosen = new Map(
    (
      await findResidentsByIds(
        db,
        scope,
        people.flatMap(p => p.userId ?? []),
      )
    ).map(r => [r.id, r]),
  )
  const same =
    mobiles.length || certs.length
      ? await findAll(
          db,
          resident,
          scope,
          {},
          {
            where: [
              sql`t.state = ${code(residentState, 'normal')}`,
              sql`(t.mobile = any(${mobiles}) or t.cert_no = any(${certs}))`,
              ...residentDomainFilter(scope),
            ],
          },
        )
      : []
  return people.flatMap((p): NamedOwner[] => {
    const known = p.userId
      ? chosen.get(p.userId)
      : same.find(
          r =>
            r.name === p.name &&
            ((p.mobile && r.mobile === p.mobile) || (p.certNo && r.certNo === normalizeCertNo(p.certNo))),
        )
    const name = known?.name ?? p.name?.trim()
    return name ? [{ id: known?.id, name, isMain: p.isMain, isPayer: p.isPayer }] : []
  })
}

async function transferOwnership(
  t: TransferInput & { readonly reason: string },
  c: WriteContext,
): Promise<number[]> {
  const { tx, scope, today, app } = c
  const r = await requireById(tx, room, scope, t.roomId, true)
  const { links, stays } = await splitForTransfer(tx, scope, r, t.familyLeaves)
  const seller = t.linkId === undefined ? undefined : await requireById(tx, residency, scope, t.linkId)
  if (seller && seller.roomId !== r.id) return refuse('原业主不属于这个房间，请刷新后重试')
  if (seller && seller.status !== 'living') throw await concurrentChangeRefusal(tx, scope, seller)
  if (!links.some(l => l.relation === 'owner')) return refuse('该房间还没有业主，请直接登记新业主')
  assertLeavingDay(links, t.day, today, 'Day')
  const who: Resident[] = []
  for (const [i, { userId, relation: _, isMain: __, isPayer: ___, ...p }] of t.people.entries()) {
    if (userId) {
      who.push(await requireResident(tx, scope, userId))
      continue
    }
    if (!p.name) throw invalidInput([{ Field: `Users[${i}].Username`, Message: '姓名不能为空' }])
    who.push(
      await findOrCreateResident(
        { userType: 'person', state: 'normal', ...p, name: p.name, homeProject: r.projectCode },
        { tx, scope, app, today, at: `Users[${i}].`, linkExisting: true },
      ),
    )
  }
  const { comers, ending, staying, there } = planOwnerChange(
    t.people.map((p, i) => ({ ...p, id: defined(who[i]).id, name: defined(who[i]).name })),
    links,
    stays,
  )
  const m = createMoveContext(
    'transfer',
    tx,
    { scope, today, day: t.day, reason: t.reason, answers: t.answers },
    r,
    ending,
    staying,
    { newOwners: comers, moveIn: t.moveIn ?? false },
  )
  await endResidencies(tx, m, 'soldOut')
  const ids = await insertResidencies(
    tx,
    scope,
    today,
    comers.map((c, i): NewResidency => ({
      person: defined(who[i]),
      room: r,
      draft: {
        relation: 'owner',
        isMain: c.isMain,
        isPayer: c.isPayer,
        ...(t.moveIn || there.some(s => s.userId === c.id && s.inDate) ? { inDate: t.day } : {}),
      },
      at: `Users[${i}].`,
    })),
  )
  const former = links
    .filter(x => x.relation === 'owner')
    .map(x => x.userName)
    .join('、')
  await logResidencyChanges(
    tx,
    scope,
    (await findByIds(tx, residency, scope, ids)).map(l => ({
      link: l,
      userName: l.userName ?? '',
      action: 'boughtIn',
      day: t.day,
      reason: t.reason,
      detail: `原业主 ${former}`,
    })),
  )
  await applyMove({ ...m, tx, newOwner: defined(who.find((_, i) => defined(comers[i]).isMain)) })
  await syncRoomOccupancy(tx, scope, [r.id], { today, leaving: ending.some(l => l.inDate), reason: t.reason })
  return ids
}

export const moveHandlers = [
  reads(
    previewMove,
    async ({ kind, ids, roomId, day, familyLeaves, moveIn, people, answers: said }, { db, scope, today }) => {
      const about = { scope, today, day, answers: said }
      const plan = async (m: MoveContext, title: string) => {
        const steps = await planMoveSteps(m)
        return { title, blocked: steps.some(s => s.blocks !== undefined), steps }
      }
      if (kind === 'transfer') {
        if (!roomId) throw invalidInput([{ Field: 'RoomID', Message: '请选择要过户的房屋' }])
        const r = await requireById(db, room, scope, roomId)
        const { links, stays } = await splitForTransfer(db, scope, r, familyLeaves ?? true)
        assertLeavingDay(links, day, today, 'Day')
        if (!links.some(l => l.relation === 'owner')) return refuse('该房间还没有业主，请直接登记新业主')
        const { comers, ending, staying } = planOwnerChange(
          await resolvePreviewOwners(db, scope, people ?? []),
          links,
          stays,
        )
        return plan(
          createMoveContext('transfer', db, about, r, ending, staying, {
            newOwners: comers,
            moveIn: moveIn ?? false,
          }),
          `${r.path} 过户`,
        )
      }
      if (kind === 'moveOut') return refuse('公司迁出请在企业管理里办理')
      if (!ids?.length) return refuse('请选择要办理的住户')
      const { room: r, links } = await loadRoomResidencies(db, scope, ids, false)
      const stays = (await findCurrentResidencies(db, scope, r.id)).filter(
        s => !links.some(l => l.id === s.id),
      )
      for (const l of links) {
        const fault =
          residencyStatusMachine.checkTransition(l.status, kind === 'checkout' ? 'left' : 'living') ??
          (kind === 'checkin' && l.status !== 'left' ? '只有已迁出的住户可以再次入住' : undefined)
        if (fault) return refuse(`${l.userName}：${fault}`)
      }
      if (kind === 'checkout') {
        assertLeavingDay(links, day, today, 'Day')
      }
      return plan(
        createMoveContext(kind, db, about, r, links, stays),
        `${r.path} ${links.map(l => l.userName).join('、')}${kind === 'checkout' ? '迁出' : '再次入住'}`,
      )
    },
  ),
  writes(checkOut, async ({ ids, outDate, reason, answers: said }, { tx, scope, today }) => {
    const { room: r, links } = await loadRoomResidencies(tx, scope, ids, true)
    for (const l of links) {
      if (!residencyStatusMachine.canTransition(l.status, 'left'))
        throw await concurrentChangeRefusal(tx, scope, l)
    }
    assertLeavingDay(links, outDate, today, 'OutDate')
    const stays = (await findCurrentResidencies(tx, scope, r.id)).filter(s => !links.some(l => l.id === s.id))
    const m = createMoveContext(
      'checkout',
      tx,
      { scope, today, day: outDate, reason, answers: said },
      r,
      links,
      stays,
    )
    await endResidencies(tx, m, 'movedOut')
    await applyMove({ ...m, tx })
    await syncRoomOccupancy(tx, scope, [r.id], { today, leaving: links.some(l => l.inDate), reason })
    return maskRows(residency.fields, await findByIds(tx, residency, scope, ids), scope)
  }),
  writes(checkInAgain, async ({ ids, inDate, reason, answers: said }, { tx, scope, today }) => {
    const { room: r, links } = await loadRoomResidencies(tx, scope, ids, true)
    for (const l of links) {
      if (l.status !== 'left') throw await concurrentChangeRefusal(tx, scope, l)
    }
    if (inDate > today)
      throw invalidInput([{ Field: 'InDate', Message: '入住日期不能晚于今天，请到当天再办理' }])
    const early = links.find(l => l.outDate && l.outDate > inDate)
    if (early)
      throw invalidInput([
        { Field: 'InDate', Message: `${early.userName} ${early.outDate} 才迁出，入住日期不能早于它` },
      ])
    const people = await lockResidents(tx, scope, links)
    const ended = people.find(p => p.state !== 10)
    if (ended) return refuse(`住户「${ended.name}」已注销，请先在住户资料里恢复`)
    const stays = await findCurrentResidencies(tx, scope, r.id)
    const m = createMoveContext(
      'checkin',
      tx,
      { scope, today, day: inDate, reason, answers: said },
      r,
      links,
      stays,
    )
    await assertMoveAllowed(m)
    // BASE-12: the link alone comes back, without a place that somebody else has meanwhile.
    const main = stays.some(s => s.isMain)
    const payer = stays.some(s => s.isPayer)
    const first = links.find(l => l.isMain)?.id
    const pays = links.find(l => l.isPayer)?.id
    const done = await tx.execute(sql`
        update user_room
        set status = ${code(residencyStatus, 'living')}, in_date = ${inDate}, out_date = null,
          is_main = is_main and id = ${main ? 0 : (first ?? 0)},
          is_payer = is_payer and id = ${payer ? 0 : (pays ?? 0)}, ${touch(scope)}
        where owner_id = ${scope.ownerId}
          and id = any(${ids.map(Number)})
          and status = ${code(residencyStatus, 'left')}
          and ${live()}
      `)
    if (done !== links.length) throw staleVersion()
    await logResidencyChanges(
      tx,
      scope,
      links.map(l => ({ link: l, userName: l.userName ?? '', action: 'backIn', day: inDate, reason })),
    )
    await applyMove({ ...m, tx })
    await syncRoomOccupancy(tx, scope, [r.id], { today, inDate, reason })
    return maskRows(residency.fields, await findByIds(tx, residency, scope, ids), scope)
  }),
  writes(transferRoom, async (t, c) =>
    maskRows(
      residency.fields,
      await findByIds(c.tx, residency, c.scope, await transferOwnership(t, c)),
      c.scope,
    ),
  ),
]

const lockResidents = (
  tx: Tx,
  scope: Scope,
  links: readonly Residency[],
): Promise<{ name: string; state: number }[]> =>
  tx.rows(
    sql`
      select name, state
      from resident
      where owner_id = ${scope.ownerId} and id = any(${links.map(l => l.userId)}) and ${live()}
      order by id
      for share
    `,
  )
