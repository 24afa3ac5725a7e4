import { addMinutes, dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { insert, insertAll } from '#kit/server/table.ts'
import { noticeReceipt } from '#modules/notices/contract/choices.ts'
import { matter } from '#modules/notices/contract/matter.ts'
import { publicNotice } from '#modules/notices/contract/notice.ts'
import { noticeScreen } from '#modules/notices/contract/screen.ts'
import { noticeTemplate } from '#modules/notices/contract/template.ts'
import { insertReceivers } from '#modules/notices/server/publication.ts'

interface NoticeSeed {
  readonly projectCode: string
  readonly now: Moment
}

const dayMinutes = 1440

const plain = {
  scopeType: 'projects',
  channels: ['app', 'screen'],
  isTop: false,
  needConfirm: false,
  publisherName: '客服中心',
} as const

const texts = [
  {
    title: '水箱清洗停水通知',
    noticeType: 'outage',
    content:
      '<p>为保障用水安全，将清洗生活水箱，期间<strong>暂停供水</strong>。</p>' +
      '<ul><li>时间：周六 9:00 至 17:00</li><li>范围：全部楼栋</li></ul><p>请提前储水，不便之处敬请谅解。</p>',
    needConfirm: true,
    isTop: true,
  },
  {
    title: '冬季用电安全提示',
    noticeType: 'reminder',
    content: '<p>离家时请关闭取暖设备，电动自行车请勿进楼充电。</p>',
    needConfirm: false,
    isTop: false,
  },
] as const

const guidance = [
  {
    title: '装修申请',
    category: 'fitting',
    steps: '<ol><li>到服务中心填写申请表</li><li>缴纳装修押金</li><li>领取装修许可证后施工</li></ol>',
    materials: '身份证\n装修公司营业执照\n施工图',
    place: '服务中心',
    hours: '工作日 9:00 至 17:30',
  },
  {
    title: '办理月卡',
    category: 'parking',
    steps: '<p>携带行驶证到服务中心登记车牌并缴费，当日生效。</p>',
    materials: '行驶证',
    place: '服务中心',
    hours: '每日 9:00 至 18:00',
  },
] as const

/** Every fifth of those who received it has opened it. */
const markSomeRead = (tx: Tx, { ownerId }: Scope, noticeId: Id, readTime: Moment): Promise<number> =>
  tx.execute(sql`
    update notice_receiver
    set receipt = ${code(noticeReceipt, 'read')}, read_time = ${readTime}::timestamptz
    where owner_id = ${ownerId} and notice_id = ${noticeId} and id % 5 = 0
  `)

/** Notices that are read, a draft and a template, a screen, guidance. */
export async function seedPublicNotices(
  tx: Tx,
  scope: Scope,
  { projectCode, now }: NoticeSeed,
): Promise<void> {
  const reach = { scopeJson: { projectCodes: [projectCode] }, projectCodes: [projectCode] }
  for (const [i, text] of texts.entries()) {
    const publishTime = addMinutes(now, -dayMinutes * (i + 1))
    const values = { ...plain, ...reach, ...text, publishTime, state: 'published' } as const
    const notice = await insert(tx, publicNotice, scope, { ...values, versionNo: 1, isModified: false })
    await insertReceivers({ tx, scope }, notice, scope)
    await markSomeRead(tx, scope, notice.id, addMinutes(publishTime, 95))
  }
  await insert(tx, publicNotice, scope, {
    ...plain,
    ...reach,
    title: '公共收益公示',
    noticeType: 'disclosure',
    content: `<p>${dayOfMoment(now).slice(0, 4)} 年公共收益收支明细。</p>`,
    publisherName: undefined,
    state: 'draft',
    versionNo: 1,
    isModified: false,
  })
  await insert(tx, noticeTemplate, scope, {
    name: '停水通知',
    noticeType: 'outage',
    title: '停水通知',
    content: '<p>因管道检修，将暂停供水，请提前储水。</p>',
    smsText: '{name}您好，{project}将临时停水，请提前储水，详情见公告。',
  })
  await insert(tx, noticeScreen, scope, {
    projectCode,
    screenName: '大堂信息屏',
    position: 'lobby',
    turnSeconds: 12,
    state: 'on',
  })
  await insertAll(
    tx,
    matter,
    scope,
    guidance.map((each, sort) => ({
      ...each,
      sort,
      projectCodes: [projectCode],
      state: 'published' as const,
    })),
  )
}
