import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addMinutes, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import { residentPageUrls } from '#modules/resident-page/server/public.ts'
import { activities, publishActivity, type Activity } from '../contract/activity.ts'

export const projectCode = 'GOLD0001'

export interface Person {
  readonly id: Id
  readonly name: string
  readonly buildCode: string
  readonly token: string
}

/** Residents who live in the project, each with the token of their own link. */
export async function findPeople(t: GoldenApp, count: number): Promise<Person[]> {
  const people = await t.database.reader(t.ownerId).rows<Omit<Person, 'token'>>(sql`
    select p.id, p.name, min(r.build_code) as build_code
    from resident p
    join user_room l on l.owner_id = ${t.ownerId} and l.user_id = p.id
    join room r on r.owner_id = ${t.ownerId} and r.id = l.room_id
    where p.owner_id = ${t.ownerId}
      and p.state = 10
      and p.delete_tag = 0
      and l.project_code = ${projectCode}
      and l.status = 20
      and l.delete_tag = 0
    group by p.id, p.name
    having count(*) = 1
    order by p.id
    limit ${count}
  `)
  const urls = await residentPageUrls(
    t.app,
    t.ownerId,
    people.map(({ id }) => id),
  )
  return people.map(person => ({
    ...person,
    token: defined(new URL(defined(urls.get(person.id)), 'http://here').searchParams.get('t')),
  }))
}

/** A published activity, whose sign-up is open now. */
export async function publishOne(
  t: GoldenApp,
  me: CallOptions,
  values: Partial<Activity> = {},
): Promise<Activity> {
  const now = fromInstant(t.app.clock())
  const { id } = await t.call(
    activities.add,
    {
      projectCode,
      title: '亲子运动会',
      content: '<p>请穿运动鞋</p>',
      address: '中心广场',
      signBegin: addMinutes(now, -60),
      signEnd: addMinutes(now, 600),
      beginTime: addMinutes(now, 1200),
      endTime: addMinutes(now, 1380),
      quota: 2,
      maxPersons: 2,
      hasWaiting: true,
      ...values,
    },
    me,
  )
  return t.call(publishActivity, { id }, me)
}
