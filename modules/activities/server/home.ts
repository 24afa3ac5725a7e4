import { Refused, notFound, refuse, resultCode } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { anonymous, type AnonymousContext } from '#kit/server/handler.ts'
import { countHit } from '#kit/server/rate-limit.ts'
import { openRichText } from '#kit/server/rich-text.ts'
import { clockScope } from '#kit/server/scope.ts'
import { code, codes } from '#kit/server/sql.ts'
import { findAll, findByIds } from '#kit/server/table.ts'
import { estate } from '#modules/estates/contract/estate.ts'
import {
  chosenHome,
  entranceUrlOf,
  readResident,
  type Resident,
  type ResidentHome,
} from '#modules/resident-page/server/public.ts'
import { activity, type Activity } from '../contract/activity.ts'
import { activityState, signState } from '../contract/choices.ts'
import {
  cancelOwnSign,
  checkInAtPlace,
  listHomeActivities,
  openHomeActivity,
  openPlace,
  signUp,
  triesPerPerson,
  type HomeActivity,
} from '../contract/home.ts'
import { activitySign, type ActivitySign } from '../contract/sign.ts'
import { canCancelOwn, hasPlaces, movesUp } from '../domain/activity.ts'
import { isForHome, refusalFor, stageFor } from '../domain/audience.ts'
import { readPlaceCode, signCodeOf } from './activity-link.ts'
import { owedBySign } from './owed.ts'
import { inCompany, type ActivityContext } from './context.ts'
import { lockActivity } from './places.ts'
import { cancelOne, checkInOne, findOwnSign, signUpFor } from './sign-up.ts'

/** For whom a page is drawn. */
interface Viewer {
  readonly resident: Resident
  readonly home: ResidentHome
}

const shownActivities = 50

/** The activities of a project that a resident may know of: published, or of their own sign-ups. */
export async function findHomeActivities(
  db: Db,
  app: Pick<App, 'clock'>,
  { resident, home }: Viewer,
): Promise<{ readonly rows: readonly Activity[]; readonly own: ReadonlyMap<Id, ActivitySign> }> {
  const scope = clockScope(app, resident.ownerId)
  const signs = await findAll(
    db,
    activitySign,
    scope,
    { projectCode: home.projectCode, order: 'id' },
    { where: [sql`t.user_id = ${resident.userId}`] },
  )
  // A later sign-up of the same activity counts, however often one was cancelled before.
  const own = new Map(signs.map(sign => [sign.activityId, sign]))
  const found = await findAll(
    db,
    activity,
    scope,
    { projectCode: home.projectCode },
    {
      where: [
        sql`(
          t.state = ${code(activityState, 'published')}
          or (
            t.state in ${codes(activityState, 'cancelled', 'ended')}
            and t.id = any(${[...own.keys()]}::bigint[])
          )
        )`,
      ],
      limit: shownActivities,
    },
  )
  return { own, rows: found.filter(of => own.has(of.id) || isForHome(of, home)) }
}

const coverUrlOf = (app: Pick<App, 'files'>, ownerId: Id, { cover }: Activity): string | undefined =>
  cover && app.files.signedUrl(ownerId, cover)

interface CardContext {
  readonly app: App
  readonly viewer: Viewer
}

function cardOf({ app, viewer }: CardContext, of: Activity, sign: ActivitySign | undefined) {
  return {
    id: of.id,
    title: of.title,
    coverUrl: coverUrlOf(app, viewer.resident.ownerId, of),
    address: of.address,
    beginTime: of.beginTime,
    endTime: of.endTime,
    fee: of.fee,
    isPinned: of.topSort > 0,
    stageText: stageFor(of, viewer.home, fromInstant(app.clock())),
    ownState: sign?.state,
  }
}

const placeFacts = ({ estateName, servicePhone }: ResidentHome) => ({ estateName, servicePhone })

const countBefore = async (
  { tx, scope }: ActivityContext,
  { activityId, waitNo = 0 }: ActivitySign,
): Promise<number> => {
  const found = await tx.one<{ persons: number }>(sql`
    select coalesce(sum(s.person_count), 0)::integer as persons
    from activity_sign s
    where s.owner_id = ${scope.ownerId}
      and s.activity_id = ${activityId}
      and s.state = ${code(signState, 'waiting')}
      and s.wait_no < ${waitNo}
      and s.delete_tag = 0
  `)
  return found?.persons ?? 0
}

async function ownPart(c: ActivityContext, of: Activity, sign: ActivitySign | undefined) {
  const money = sign && {
    payState: sign.payState,
    feeAmount: sign.feeAmount,
    owedAmount: sign.payState === 'unpaid' ? await owedBySign(c, sign.id) : undefined,
    refundDue: sign.refundDue,
  }
  if (!sign || sign.state === 'cancelled')
    return { ...money, cancelReason: sign?.cancelReason ?? of.cancelReason }
  return {
    ...money,
    personCount: sign.personCount,
    remark: sign.remark,
    checkInTime: sign.checkInTime,
    waitingBefore: sign.state === 'waiting' && movesUp(of, c.now) ? await countBefore(c, sign) : undefined,
    checkInCode:
      sign.state === 'signed' && of.state === 'published'
        ? await signCodeOf(c.app, c.scope.ownerId, sign.id)
        : undefined,
  }
}

async function pageOf(c: ActivityContext, viewer: Viewer, id: Id): Promise<HomeActivity> {
  const { app, tx, now } = c
  const { ownerId } = viewer.resident
  const { rows, own } = await findHomeActivities(tx, app, viewer)
  const of = rows.find(row => row.id === id)
  if (!of) throw notFound()
  const sign = own.get(id)
  return {
    ...placeFacts(viewer.home),
    ...cardOf({ app, viewer }, of, sign),
    content: openRichText(app, ownerId, of.content),
    signBegin: of.signBegin,
    signEnd: of.signEnd,
    quota: of.quota,
    signCount: of.signCount,
    waitCount: of.waitCount,
    maxPersons: of.maxPersons,
    refusal: refusalFor(of, viewer.home, now),
    willWait: !hasPlaces(of, 1),
    canCancel: sign !== undefined && canCancelOwn(sign, of, now),
    ...(await ownPart(c, of, sign)),
  }
}

interface Asked {
  readonly token: string
  readonly home?: string | undefined
}

async function viewerOf({ app }: AnonymousContext, { token, home }: Asked): Promise<Viewer> {
  const resident = await readResident({ app }, token)
  return { resident, home: chosenHome(resident, home) }
}

/** One step of a resident; returns the page as it is then. */
async function applyStep(
  context: AnonymousContext,
  asked: Asked & { readonly id: Id },
  step: (c: ActivityContext, viewer: Viewer) => Promise<unknown>,
): Promise<HomeActivity> {
  const viewer = await viewerOf(context, asked)
  const { ownerId, userId, name } = viewer.resident
  if ((await countHit(context.app.database, `activity ${ownerId} ${userId}`)) > triesPerPerson)
    throw new Refused(resultCode.rateLimited, '操作过于频繁，请一分钟后再试')
  return inCompany(context.app, ownerId, name, async c => {
    await step(c, viewer)
    return pageOf(c, viewer, asked.id)
  })
}

/** An activity that is there for the resident, whatever others see. */
async function requireSeen(c: ActivityContext, viewer: Viewer, id: Id): Promise<Activity> {
  const [of] = await findByIds(c.tx, activity, c.scope, [id])
  if (!of || of.state === 'draft' || !isForHome(of, viewer.home)) throw notFound()
  return of
}

const sign =
  (asked: { readonly id: Id; readonly personCount: number; readonly remark?: string | undefined }) =>
  async (c: ActivityContext, viewer: Viewer): Promise<void> => {
    const of = await requireSeen(c, viewer, asked.id)
    const { userId } = viewer.resident
    await signUpFor(c, {
      activityId: of.id,
      userId,
      roomId: viewer.home.roomId,
      personCount: asked.personCount,
      remark: asked.remark,
    })
  }

async function cancelOwn(c: ActivityContext, { resident }: Viewer, id: Id): Promise<void> {
  const of = await lockActivity(c, id)
  const own = await findOwnSign(c, id, resident.userId)
  if (!own) return refuse('未报名该活动，无需取消')
  if (own.state === 'checkedIn') return refuse('已签到，不能取消报名，如有变动请联系物业')
  if (!canCancelOwn(own, of, c.now)) return refuse('报名已截止，不能取消，如需取消请联系物业')
  return cancelOne(c, of, own, { by: 'resident', reason: '本人取消' })
}

async function checkInOwn(c: ActivityContext, { resident }: Viewer, id: Id): Promise<void> {
  const of = await lockActivity(c, id)
  const own = await findOwnSign(c, id, resident.userId)
  if (!own) return refuse('未报名该活动，不能签到，请到现场工作人员处登记')
  return checkInOne(c, of, own)
}

async function placeOf({ app }: AnonymousContext, placeCode: string) {
  const { ownerId, id } = await readPlaceCode(app, placeCode)
  const db = app.database.reader(ownerId)
  const scope = clockScope(app, ownerId)
  const [of] = await findByIds(db, activity, scope, [id])
  if (!of) throw notFound()
  const [place] = await findAll(db, estate, scope, { projectCode: of.projectCode }, { limit: 1 })
  return {
    id,
    title: of.title,
    estateName: place?.name ?? '',
    signInUrl: await entranceUrlOf(app, 'estate', ownerId, place?.id ?? 0),
  }
}

export const homeHandlers = [
  anonymous(listHomeActivities, async (asked, context) => {
    const viewer = await viewerOf(context, asked)
    const { app } = context
    const { rows, own } = await findHomeActivities(app.database.reader(viewer.resident.ownerId), app, viewer)
    return {
      ...placeFacts(viewer.home),
      activities: rows.map(of => cardOf({ app, viewer }, of, own.get(of.id))),
    }
  }),
  anonymous(openHomeActivity, async (asked, context) => {
    const viewer = await viewerOf(context, asked)
    const { ownerId, name } = viewer.resident
    return inCompany(context.app, ownerId, name, c => pageOf(c, viewer, asked.id))
  }),
  anonymous(signUp, (asked, context) => applyStep(context, asked, sign(asked))),
  anonymous(cancelOwnSign, (asked, context) =>
    applyStep(context, asked, (c, viewer) => cancelOwn(c, viewer, asked.id)),
  ),
  anonymous(openPlace, ({ code: placeCode }, context) => placeOf(context, placeCode)),
  anonymous(checkInAtPlace, async ({ code: placeCode, ...asked }, context) => {
    const { ownerId, id } = await readPlaceCode(context.app, placeCode)
    return applyStep(context, { ...asked, id }, async (c, viewer) => {
      // Of another company the number means another activity.
      if (viewer.resident.ownerId !== ownerId) throw notFound()
      await checkInOwn(c, viewer, id)
    })
  }),
]
