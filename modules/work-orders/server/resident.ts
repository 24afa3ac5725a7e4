import { addMinutes } from '#kit/domain/moment.ts'
import { invalidField, refuse, Refused, resultCode } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { anonymous, type AnonymousContext } from '#kit/server/handler.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { findByIds, requireById } from '#kit/server/table.ts'
import { publicArea } from '#modules/estates/contract/public-area.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { orderState } from '../contract/choices.ts'
import {
  cancelAsResident,
  checkAsResident,
  evaluateAsResident,
  expediteAsResident,
  followOrder,
  maxPhotoBytes,
  openPlace,
  payAsResident,
  reportAtPlace,
  rewardAsResident,
  uploadResidentFile,
} from '../contract/resident.ts'
import { maxPhotos, workOrder, type WorkOrder } from '../contract/work-order.ts'
import { openStates } from '../domain/order-actions.ts'
import { describeService } from '../domain/service-calendar.ts'
import { ancestorsOf } from '../domain/type-tree.ts'
import { evaluate } from './evaluation.ts'
import { loadFunctions } from './function-settings.ts'
import { check } from './handling.ts'
import { cancel, expedite } from './order-requests.ts'
import { systemContext, type OrderContext } from './order-context.ts'
import { loadTypes } from './order-types.ts'
import { lockMoney, startPayment, startReward } from './payment.ts'
import { samePlace } from './place.ts'
import { register } from './registration.ts'
import { findEstate, viewForResident } from './resident-view.ts'
import { linkOfOrder, readToken, type ResidentLink } from './resident-token.ts'

const placeKinds = ['room', 'area'] as const

interface LinkedPlace {
  readonly projectCode: string
  readonly roomCode?: string | undefined
  readonly areaId?: ResidentLink['id'] | undefined
  readonly name: string
}

const missingPlace = (): Refused => new Refused(resultCode.notFound, '该位置已不在物业登记中，请联系物业')

/** The room or public area of a code; one that was deleted is no place any more. */
async function findPlace({ tx, scope }: OrderContext, link: ResidentLink): Promise<LinkedPlace> {
  if (link.kind === 'room') {
    const [found] = await findByIds(tx, room, scope, [link.id])
    if (!found) throw missingPlace()
    return { projectCode: found.projectCode, roomCode: found.code, name: found.path }
  }
  const [found] = await findByIds(tx, publicArea, scope, [link.id])
  if (!found) throw missingPlace()
  return { projectCode: found.projectCode, areaId: found.id, name: found.name }
}

const requester = (name: string | undefined) => ({
  kind: 'requester' as const,
  id: 0 as const,
  name: name ?? '业主',
})

const inCompany = <T>(
  app: App,
  link: ResidentLink,
  work: (c: OrderContext) => Promise<T>,
  name?: string,
): Promise<T> =>
  app.database.tx(link.ownerId, (tx: Tx) => work(systemContext(tx, app, link.ownerId, requester(name))))

/** What may be reported here: types that are on with all above them, but for the company's own tasks. */
async function reportableTypes({ tx, scope }: OrderContext) {
  const types = await loadTypes(tx, scope)
  return [...types.values()].filter(
    type => type.category !== 'internal' && ancestorsOf(types, type.id).every(t => t.state === 'on'),
  )
}

async function assertReportsOpen(c: OrderContext, phone: string | undefined): Promise<void> {
  const { residentReport } = await loadFunctions(c.tx, c.scope.ownerId)
  if (!residentReport.isOn) refuse(`该项目暂不支持扫码报事，请电话联系物业${phone ? ` ${phone}` : ''}`)
}

async function describePlace(c: OrderContext, link: ResidentLink) {
  const { tx, scope } = c
  const place = await findPlace(c, link)
  const estate = await findEstate(tx, scope.ownerId, place.projectCode)
  await assertReportsOpen(c, estate?.phone)
  const company = await tx.one<{ name: string }>(sql`
    select company_name as name from property where owner_id = ${scope.ownerId}
  `)
  return {
    placeKind: link.kind === 'room' ? ('room' as const) : ('area' as const),
    placeName: place.name,
    estateName: estate?.name ?? '',
    companyName: company?.name ?? '',
    servicePhone: estate?.phone,
    types: (await reportableTypes(c)).map(type => ({
      id: type.id,
      parentId: type.parentId,
      typeName: type.typeName,
      category: type.category,
      isCharge: type.isCharge,
      serviceText: describeService(type),
      prices: type.prices ?? [],
    })),
    maxPhotos,
  }
}

type Report = NonNullable<typeof reportAtPlace.input.T>

const repeatMinutes = 5

/** The same report once more within minutes is the same order: a phone with a bad network sends twice. */
const findRepeat = ({ tx, scope, now }: OrderContext, place: LinkedPlace, report: Report) =>
  tx.one<{ id: WorkOrder['id']; orderNo: string }>(sql`
    select t.id, t.order_no
    from work_order t
    where t.owner_id = ${scope.ownerId}
      and t.project_code = ${place.projectCode}
      and ${samePlace(place)}
      and t.type_id = ${report.typeId}
      and t.content = ${report.content}
      and t.reporter_phone = ${report.phone}
      and t.register_time >= ${addMinutes(now, -repeatMinutes)}
      and ${notDeleted('t')}
    order by t.id desc
    limit 1
  `)

async function submitReport(c: OrderContext, link: ResidentLink, input: Report) {
  const { tx, scope, app } = c
  const place = await findPlace(c, link)
  const estate = await findEstate(tx, scope.ownerId, place.projectCode)
  await assertReportsOpen(c, estate?.phone)
  await assertUploads(c, 'Photos', input.photos)
  await assertUploads(c, 'Videos', input.videos)
  if (!(await reportableTypes(c)).some(type => type.id === input.typeId))
    throw invalidField('TypeID', '请选择报事类型')
  if (input.level === 'critical') throw invalidField('Level', '报事只能选择一般或紧急，特急由客服登记')
  // One report of a place at a time: what comes twice is seen to be the same.
  await tx.rows(sql`
    select pg_advisory_xact_lock(hashtextextended('work-order-report/' || ${link.kind + String(link.id)}::text, ${scope.ownerId}))
  `)
  const repeat = await findRepeat(c, place, input)
  const open = await tx.one<{ n: number }>(sql`
    select count(*)::int as n
    from work_order t
    where t.owner_id = ${scope.ownerId}
      and t.project_code = ${place.projectCode}
      and ${samePlace(place)}
      and t.type_id = ${input.typeId}
      and t.state in ${codes(orderState, ...openStates)}
      and ${notDeleted('t')}
  `)
  const order =
    repeat ??
    (await register(c, {
      projectCode: place.projectCode,
      typeId: input.typeId,
      source: 'resident',
      roomCode: place.roomCode,
      areaId: place.areaId,
      address: input.address,
      reporterName: input.name,
      reporterPhone: input.phone,
      content: input.content,
      photos: input.photos,
      videos: input.videos,
      level: input.level,
      appointTime: input.appointTime,
    }))
  const { token } = await linkOfOrder(app, scope.ownerId, order.id)
  return { orderNo: order.orderNo, orderToken: token, openSame: open?.n ?? 0 }
}

const uploadMinutes = 24 * 60

/** Only what residents uploaded within a day: a key from elsewhere would be shown on their page. */
async function assertUploads(
  { tx, scope, now }: OrderContext,
  field: string,
  keys: readonly string[] = [],
): Promise<void> {
  if (!keys.length) return
  const found = await tx.rows<{ key: string }>(sql`
    select key
    from file_store
    where owner_id = ${scope.ownerId}
      and key = any(${[...keys]}::text[])
      and create_by = 0
      and create_time > ${addMinutes(now, -uploadMinutes)}
  `)
  if (found.length < new Set(keys).size) throw invalidField(field, '图片或视频不存在或已过期，请重新上传')
}

/** One action on the order of a link; returns the order as its reporter sees it then. */
async function actOnOrder(
  { app }: AnonymousContext,
  token: string,
  action: (c: OrderContext, order: WorkOrder) => Promise<unknown>,
  options: { readonly movesMoney?: boolean } = {},
) {
  const link = await readToken(app, token, ['order'])
  return inCompany(app, link, async c => {
    if (options.movesMoney) {
      await lockMoney(c, link.id)
    }
    const order = await requireById(c.tx, workOrder, c.scope, link.id, { lock: true })
    await action({ ...c, actor: requester(order.reporterName) }, order)
    return viewForResident(c.tx, app, c.scope, link.id, c.now)
  })
}

/** A pay order that the payer's page of payments opens. */
async function payByLink(
  { app }: AnonymousContext,
  token: string,
  start: (c: OrderContext, order: WorkOrder) => ReturnType<typeof startPayment>,
) {
  const link = await readToken(app, token, ['order'])
  return inCompany(app, link, async c => {
    await lockMoney(c, link.id)
    const order = await requireById(c.tx, workOrder, c.scope, link.id, { lock: true })
    const { orderNo, amount, url } = await start({ ...c, actor: requester(order.reporterName) }, order)
    return { orderNo, amount, url }
  })
}

export const residentHandlers = [
  anonymous(openPlace, async ({ token }, { app }) => {
    const link = await readToken(app, token, placeKinds)
    return inCompany(app, link, c => describePlace(c, link))
  }),
  anonymous(uploadResidentFile, async ({ token }, { app, upload }) => {
    const link = await readToken(app, token, ['room', 'area', 'order'])
    if (!upload) throw invalidField('File', '请选择图片或视频')
    const isImage = upload.type.startsWith('image/')
    if (!isImage && !upload.type.startsWith('video/')) throw invalidField('File', '只能上传图片或视频')
    if (isImage && upload.size > maxPhotoBytes) throw invalidField('File', '图片不能超过 5 MB，请压缩后上传')
    const key = await app.files.save(link.ownerId, 0, upload)
    return { key, url: app.files.signedUrl(link.ownerId, key) }
  }),
  anonymous(reportAtPlace, async (input, { app }) => {
    const link = await readToken(app, input.token, placeKinds)
    return inCompany(app, link, c => submitReport(c, link, input), input.name)
  }),
  anonymous(followOrder, async ({ token }, { app, now }) => {
    const link = await readToken(app, token, ['order'])
    return inCompany(app, link, c => viewForResident(c.tx, app, c.scope, link.id, now))
  }),
  anonymous(expediteAsResident, ({ token, remark }, a) =>
    actOnOrder(a, token, (c, order) => expedite(c, order, remark)),
  ),
  anonymous(checkAsResident, ({ token, ...decision }, caller) =>
    actOnOrder(
      caller,
      token,
      async (c, order) => {
        await assertUploads(c, 'Photos', decision.photos)
        return check(c, order, decision)
      },
      { movesMoney: true },
    ),
  ),
  anonymous(cancelAsResident, ({ token, reason }, a) =>
    actOnOrder(a, token, (c, order) => cancel(c, order, reason), { movesMoney: true }),
  ),
  anonymous(evaluateAsResident, ({ token, ...input }, a) =>
    actOnOrder(a, token, async (c, order) => {
      await assertUploads(c, 'Photos', input.photos)
      return evaluate(c, order, input)
    }),
  ),
  anonymous(payAsResident, ({ token }, a) => payByLink(a, token, startPayment)),
  anonymous(rewardAsResident, ({ token, ...tip }, a) =>
    payByLink(a, token, (c, order) => startReward(c, order, tip)),
  ),
]
