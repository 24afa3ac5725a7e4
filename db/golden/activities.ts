import type { Id } from '#kit/domain/id.ts'
import { addMinutes, dayOfMoment, momentAt, type Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { insert, insertAll } from '#kit/server/table.ts'
import { activity, type Activity } from '#modules/activities/contract/activity.ts'
import { activitySign } from '#modules/activities/contract/sign.ts'
import { residencyStatus } from '#modules/residents/contract/labels.ts'

interface ActivitySeed {
  readonly projectCode: string
  readonly now: Moment
  /** Sign-ups of the first activity, a part of whom waits. */
  readonly signs: number
}

interface Home {
  readonly userId: Id
  readonly roomId: Id
}

const day = 1440

const texts = [
  {
    title: '重阳节敬老慰问',
    address: '社区活动中心',
    content:
      '<p>为六十岁以上的住户准备了慰问品与文艺节目。</p><ul><li>请携带身份证</li><li>可由家属陪同</li></ul>',
    quota: 12,
    maxPersons: 2,
  },
  {
    title: '亲子运动会',
    address: '中心广场',
    content: '<p>请穿运动鞋，自备饮水。</p>',
    quota: 60,
    maxPersons: 4,
  },
  {
    title: '垃圾分类讲座',
    address: '一号楼大堂',
    content: '<p>介绍分类投放的时间与地点。</p>',
    quota: 0,
    maxPersons: 1,
  },
] as const

/** The residents who came last: what refers to them holds their records. */
export const lastHomes = (tx: Tx, ownerId: Id, projectCode: string, count: number): Promise<Home[]> =>
  tx.rows(sql`
    select distinct on (l.user_id) l.user_id, l.room_id
    from user_room l
    where l.owner_id = ${ownerId}
      and l.project_code = ${projectCode}
      and l.status = ${code(residencyStatus, 'living')}
      and ${notDeleted('l')}
    order by l.user_id desc
    limit ${count}
  `)

async function seedSigns(
  tx: Tx,
  scope: Scope,
  { id, projectCode, quota }: Activity,
  homes: readonly Home[],
  now: Moment,
): Promise<void> {
  await insertAll(
    tx,
    activitySign,
    scope,
    homes.map(({ userId, roomId }, i) => ({
      projectCode,
      activityId: id,
      userId,
      roomId,
      personCount: 1,
      state: i < quota ? ('signed' as const) : ('waiting' as const),
      waitNo: i < quota ? undefined : i - quota + 1,
      signTime: addMinutes(now, i - 600),
    })),
  )
}

/** An activity with sign-ups, one that is pinned, a draft. */
export async function seedActivities(
  tx: Tx,
  scope: Scope,
  { projectCode, now, signs }: ActivitySeed,
): Promise<void> {
  const homes = await lastHomes(tx, scope.ownerId, projectCode, signs)
  const morning = momentAt(dayOfMoment(now), '09:00')
  for (const [i, text] of texts.entries()) {
    const isDraft = i === 2
    const isSigned = i === 0
    const row = await insert(tx, activity, scope, {
      projectCode,
      ...text,
      contentFiles: [],
      hasWaiting: true,
      signBegin: addMinutes(morning, -day),
      signEnd: addMinutes(morning, day * (5 + i) + 540),
      beginTime: addMinutes(morning, day * (6 + i)),
      endTime: addMinutes(morning, day * (6 + i) + 180),
      signCount: isSigned ? Math.min(homes.length, text.quota) : 0,
      waitCount: isSigned ? Math.max(0, homes.length - text.quota) : 0,
      checkInCount: 0,
      topSort: i === 1 ? 1 : 0,
      state: isDraft ? 'draft' : 'published',
      ...(isDraft ? {} : { publishTime: addMinutes(morning, -day), publisherName: '客服中心' }),
    })
    if (isSigned && homes.length) {
      await seedSigns(tx, scope, row, homes, now)
    }
  }
}
