import { defined } from '#kit/domain/defined.ts'
import { keyOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { live, code } from '#kit/server/sql.ts'
import { getResidentStatistics } from '../contract/maintenance.ts'
import { gender, relation, residencyStatus, faceState } from '../contract/labels.ts'
import { ageBands } from '../domain/person.ts'
import { residencyDomainFilter } from './resident-access.ts'

interface StatisticsRow {
  people: number
  wechat: number
  app: number
  withMobile: number
  withFace: number
  blocked: number
}

/** Each figure of people counts a person once, however many homes. Needs user_room_status. */
export const statisticsHandlers = [
  reads(getResidentStatistics, async ({ projectCode, buildCode }, { db, scope, today }) => {
    const home = sql.join(
      [
        sql`l.owner_id = ${scope.ownerId}`,
        sql`${live('l')}`,
        ...(projectCode ? [sql`l.project_code = ${projectCode}`] : []),
        ...(buildCode ? [sql`l.build_code = ${buildCode}`] : []),
        ...residencyDomainFilter(scope.domain, 'l'),
      ],
      sql` and `,
    )
    const who = sql`who as (
      select distinct l.user_id
      from user_room l
      where ${home} and l.status = ${code(residencyStatus, 'living')}
    ),
      p as (
        select r.*
        from resident r
        where r.owner_id = ${scope.ownerId} and ${live('r')} and r.id in (select user_id from who)
      )`
    const years = sql`extract(year from age(${today}::date, p.birthday))::int`
    const [[sums], genders, ages, relations, sizes, [waiting]] = await db.all<
      [
        StatisticsRow,
        { gender: number; count: number },
        { band: number; count: number },
        { relation: number; count: number },
        { size: number; rooms: number },
        { pending: number; rooms: number },
      ]
    >(
      sql`
        with ${who}
        select count(*)::int as people, (count(*) filter (where wechat_bind))::int as wechat,
          (count(*) filter (where app_bind))::int as app,
          (count(*) filter (where mobile is not null))::int as with_mobile,
          (
            count(*) filter (
              where exists (
                select 1
                from face_key f
                where f.owner_id = p.owner_id
                  and f.user_id = p.id
                  and ${live('f')}
                  and f.state = ${code(faceState, 'good')}
              )
            )
          )::int as with_face,
          (
            count(*) filter (
              where exists (
                select 1
                from user_blocklist b
                where b.owner_id = p.owner_id
                  and b.user_id = p.id
                  and ${live('b')}
                  and (
                    b.expire_date is null or b.expire_date >= ${today}
                  ) ${projectCode ? sql`and b.project_code = ${projectCode}` : sql``}
              )
            )
          )::int as blocked
        from p
      `,
      sql`
        with ${who}
        select coalesce(p.gender, 0) as gender, count(*)::int as count
        from p
        group by 1
        order by 1
      `,
      sql`with ${who} select case ${sql.join(
        ageBands.map(([, from, to], i) => sql`when ${years} between ${from} and ${to} then ${i}::int`),
        sql` `,
      )} else -1 end as band, count(*)::int as count from p group by 1`,
      sql`
        select l.relation, count(distinct l.user_id)::int as count
        from user_room l
        where ${home} and l.status = ${code(residencyStatus, 'living')}
        group by 1
        order by 1
      `,
      sql`
        select least(n, 5)::int as size, count(*)::int as rooms
        from (
          select l.room_id, count(*) as n
          from user_room l
          where ${home} and l.status = ${code(residencyStatus, 'living')} and l.in_date is not null
          group by l.room_id
        ) x
        group by 1
        order by 1
      `,
      sql`
        select (count(*) filter (where l.status = ${code(residencyStatus, 'pending')}))::int as pending,
          (
            count(distinct l.room_id) filter (
              where l.status = ${code(residencyStatus, 'living')} and l.in_date is not null
            )
          )::int as rooms
        from user_room l
        where ${home}
      `,
    )
    const counted = new Map(relations.map(r => [defined(keyOf(relation, r.relation)), r.count]))
    const banded = new Map(ages.map(a => [a.band, a.count]))
    return {
      ...defined(sums),
      rooms: defined(waiting).rooms,
      pending: defined(waiting).pending,
      owners: counted.get('owner') ?? 0,
      tenants: counted.get('tenant') ?? 0,
      byGender: genders.map(g => ({ gender: defined(keyOf(gender, g.gender)), count: g.count })),
      byRelation: relations.map(r => ({ relation: defined(keyOf(relation, r.relation)), count: r.count })),
      byAge: [
        ...ageBands.map(([label], i) => ({ label, count: banded.get(i) ?? 0 })),
        { label: '未填写', count: banded.get(-1) ?? 0 },
      ],
      bySize: sizes,
    }
  }),
]
