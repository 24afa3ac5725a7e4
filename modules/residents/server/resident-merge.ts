import { refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import { matchesSearchText } from '#kit/server/search-text.ts'
import { findByIds, update } from '#kit/server/table.ts'
import { live, touch, code, codes } from '#kit/server/sql.ts'
import {
  changeResidentMobile,
  findDuplicateResidents,
  mergeResidents,
  type DuplicateGroup,
} from '../contract/maintenance.ts'
import { reassignPayerChanges } from '#modules/rooms/server/public.ts'
import { resident, type Resident } from '../contract/resident.ts'
import { personFaults } from '../domain/person.ts'
import { menu } from '../module.ts'
import { syncRoomOccupancy } from './room-occupancy.ts'
import { presentResidents, presentResident, findSameResidents } from './resident-list.ts'
import { saveResidentSearchText, applyResidentChanges } from './resident-record.ts'
import { residentDomainFilter, requireResident, findResidentsByIds } from './resident-access.ts'
import { residencyStatus, residentState } from '../contract/labels.ts'

type MergeListener = (tx: Tx, scope: Scope, keep: Resident, gone: readonly number[]) => Promise<void>
const mergeListeners: MergeListener[] = []

/**
 * Called in the transaction that makes one person of several: who keeps something of the others gives it to
 * the one that stays (BASE-13).
 */
export const onResidentsMerged = (then: MergeListener): void => {
  mergeListeners.push(then)
}

onResidentsMerged(async (tx, scope, keep, gone) => {
  const owner = scope.ownerId
  const them = sql`any(${[...gone]}::bigint[])`
  // Homes that two of them have alike: one stays, the one that keeps first, with what any of them was.
  await tx.execute(sql`
    with twice as (
      select id,
        row_number() over (
          partition by room_id
          order by (user_id = ${keep.id}) desc, (status = ${code(residencyStatus, 'living')}) desc, id
        ) as n,
        room_id, is_main, is_payer, status
      from user_room
      where owner_id = ${owner}
        and ${live()}
        and status in ${codes(residencyStatus, 'pending', 'living')}
        and (user_id = ${keep.id} or user_id = ${them})
    ),
      given as (
        update user_room u
        set delete_tag = 1, is_main = false, is_payer = false, update_time = now()
        from twice t
        where u.owner_id = ${owner} and u.id = t.id and t.n > 1
        returning u.id
      )
    select count(*)
    from given
  `)
  await tx.execute(
    sql`
      update user_room
      set user_id = ${keep.id}, version = version + 1, update_time = now()
      where owner_id = ${owner} and user_id = ${them}
    `,
  )
  await tx.execute(
    sql`update user_room_log set user_id = ${keep.id} where owner_id = ${owner} and user_id = ${them}`,
  )
  await tx.execute(
    sql`
      update user_blocklist b
      set delete_tag = 1
      where b.owner_id = ${owner}
        and ${live('b')}
        and b.user_id = ${them}
        and exists (
          select 1
          from user_blocklist x
          where x.owner_id = b.owner_id
            and x.project_code = b.project_code
            and ${live('x')}
            and (x.user_id = ${keep.id} or (x.user_id = ${them} and x.id < b.id))
        )
    `,
  )
  await reassignPayerChanges(tx, owner, gone, keep.id)
  for (const table of ['user_blocklist', 'identity_card', 'face_key']) {
    await tx.execute(
      sql`
        update ${sql.table(table)}
        set user_id = ${keep.id}, update_time = now()
        where owner_id = ${owner} and user_id = ${them}
      `,
    )
  }
})

const fillableKeys = [
  'mobile',
  'certType',
  'certNo',
  'birthday',
  'nation',
  'education',
  'workUnit',
  'phone2',
  'email',
  'address',
  'photo',
  'emergencyName',
  'emergencyPhone',
  'remark',
] as const

export const mergeHandlers = [
  writes(changeResidentMobile, async ({ id, version, mobile, reason }, { tx, scope, today }) => {
    const before = await requireResident(tx, scope, id, true)
    const faults = personFaults({ mobile }, today)
    if (faults.length) throw invalidInput(faults)
    if (before.mobile === mobile)
      throw invalidInput([{ Field: 'Mobile', Message: '与原来的手机号相同，不用更换' }])
    const [other] = await findSameResidents(tx, scope, { id, mobile })
    if (other)
      throw invalidInput([{ Field: 'Mobile', Message: '该手机号已存在，如是同一个人请用「合并住户」' }])
    const after = await update(tx, resident, scope, id, { mobile }, { version, reason })
    await applyResidentChanges(tx, scope, before, after, today)
    return presentResident(tx, scope, await requireResident(tx, scope, id), today)
  }),
  reads(findDuplicateResidents, async ({ projectCode, keyword }, { db, scope, today }) => {
    const where = sql.join(
      [
        sql`t.owner_id = ${scope.ownerId}`,
        sql`${live('t')}`,
        sql`t.state = ${code(residentState, 'normal')}`,
        ...residentDomainFilter(scope, projectCode),
        ...(keyword ? [matchesSearchText(keyword)] : []),
      ],
      sql` and `,
    )
    // Each sameness joins by itself: pairs of a name alone would be as many as the square of its bearers.
    const pairs = await db.rows<{ a: number; b: number; birthday: boolean; phone: boolean; room: boolean }>(
      sql`
        with p as materialized (
          select t.id, t.name, t.mobile, t.phone2, t.birthday from resident t where ${where}
        ),
          pairs as (
            select a.id as a, b.id as b, 'room' as why
            from user_room x
            join user_room y on y.owner_id = x.owner_id
              and y.room_id = x.room_id
              and y.user_id > x.user_id
              and ${live('y')}
            join p a on a.id = x.user_id
            join p b on b.id = y.user_id and b.name = a.name
            where x.owner_id = ${scope.ownerId} and ${live('x')}
            union all
            select a.id, b.id, 'birthday'
            from p a
            join p b on b.birthday = a.birthday and b.name = a.name and b.id > a.id
            union all
            select least(a.id, b.id), greatest(a.id, b.id), 'phone'
            from p a
            join p b on b.phone2 = a.mobile and b.name = a.name and b.id <> a.id
            union all
            select a.id, b.id, 'phone'
            from p a
            join p b on b.phone2 = a.phone2 and b.name = a.name and b.id > a.id
          )
        select a, b, bool_or(why = 'birthday') as birthday, bool_or(why = 'phone') as phone,
          bool_or(why = 'room') as room
        from pairs
        group by a, b
        order by a, b
        limit 200
      `,
    )
    const people = new Map(
      (
        await presentResidents(
          db,
          scope,
          await findByIds(db, resident, scope, [...new Set(pairs.flatMap(x => [x.a, x.b]))]),
          today,
        )
      ).map(r => [r.id, r]),
    )
    const groups: { ids: Set<number>; reasons: Set<string> }[] = []
    for (const x of pairs) {
      let g = groups.find(y => y.ids.has(x.a) || y.ids.has(x.b))
      if (!g) {
        groups.push((g = { ids: new Set(), reasons: new Set(['姓名']) }))
      }
      g.ids.add(x.a).add(x.b)
      if (x.room) {
        g.reasons.add('房间')
      }
      if (x.birthday) {
        g.reasons.add('生日')
      }
      if (x.phone) {
        g.reasons.add('电话')
      }
    }
    return groups.map((g): DuplicateGroup => ({
      reason: [...g.reasons].join('、'),
      people: [...g.ids].flatMap(id => people.get(id) ?? []),
    })) as never
  }),
  writes(mergeResidents, async ({ id, others, reason }, { tx, scope, today }) => {
    const gone = [...new Set(others.map(Number))].filter(x => x !== id)
    if (!gone.length) return refuse('请选择要并入的住户')
    if (!hasPermission(scope, menu.resident.permissions.merge)) return refuse('没有合并权限')
    const all = await findResidentsByIds(tx, scope, [id, ...gone], true)
    const keep = all.find(p => p.id === id)
    const rest = all.filter(p => p.id !== id)
    if (!keep || rest.length !== gone.length) return refuse('有的住户已被删除，请刷新后重试')
    const odd = rest.find(p => p.certNo && keep.certNo && p.certNo !== keep.certNo)
    if (odd) return refuse(`「${odd.name}」与「${keep.name}」的证件号不同，不是同一个人，不能合并`)
    const rooms = (
      await tx.rows<{ roomId: number }>(
        sql`
          select distinct room_id
          from user_room
          where owner_id = ${scope.ownerId} and user_id = any(${[id, ...gone]}) and ${live()}
        `,
      )
    ).map(r => r.roomId)
    await tx.rows(
      sql`select id from room where owner_id = ${scope.ownerId} and id = any(${rooms}) order by id for update`,
    )
    for (const l of mergeListeners) {
      await l(tx, scope, keep, gone)
    }
    // The others make room for what the one that stays takes from them: its empty fields, tags, bindings.
    await tx.execute(
      sql`
        update resident
        set delete_tag = 1, ${touch(scope)}
        where owner_id = ${scope.ownerId} and id = any(${gone})
      `,
    )
    const taken = Object.fromEntries(
      fillableKeys.flatMap(k => {
        const v = keep[k] ?? rest.find(p => p[k] !== undefined)?.[k]
        return keep[k] === undefined && v !== undefined ? [[k, v]] : []
      }),
    )
    const tags = [...new Set([...(keep.tags ?? []), ...rest.flatMap(p => p.tags ?? [])])].slice(0, 20)
    const spare = rest.map(p => p.mobile).find(m => m && m !== (keep.mobile ?? taken.mobile))
    const after = await update(
      tx,
      resident,
      scope,
      id,
      {
        ...taken,
        ...(tags.length ? { tags } : {}),
        ...(keep.phone2 === undefined && taken.phone2 === undefined && spare ? { phone2: spare } : {}),
        wechatBind: keep.wechatBind || rest.some(p => p.wechatBind),
        appBind: keep.appBind || rest.some(p => p.appBind),
      },
      { reason },
    )
    // The WeChat of the first who has one comes along; what is sent goes to the person, not to the record.
    const bound = keep.wechatBind ? undefined : rest.find(p => p.wechatBind)
    if (bound) {
      await tx.execute(
        sql`
          update resident k
          set run_wechat = b.run_wechat, run_wechat_time = b.run_wechat_time
          from resident b
          where k.owner_id = ${scope.ownerId}
            and k.id = ${id}
            and b.owner_id = k.owner_id
            and b.id = ${bound.id}
        `,
      )
    }
    await saveResidentSearchText(tx, scope.ownerId, after)
    await audit(
      tx,
      scope,
      rest.map(p => ({
        action: 'delete',
        entity: 'resident',
        entityId: p.id,
        before: p,
        reason: `并入 ${id}：${reason}`,
      })),
    )
    await syncRoomOccupancy(tx, scope, rooms, { today, reason: '合并住户' })
    return presentResident(tx, scope, after, today)
  }),
]
