import { parseId } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { Refused, refuse, invalidInput } from '#kit/contract/wire.ts'
import { errorMessage } from '#kit/server/database-error.ts'
import { sql } from '#kit/server/db.ts'
import { anonymous, reads, writes, type AnonymousContext } from '#kit/server/handler.ts'
import { hasProject, outOfDomain } from '#kit/server/scope.ts'
import { requireById, findPage } from '#kit/server/table.ts'
import {
  acceptOrder,
  createAlipayCode,
  queryOrder,
  closeOrder,
  createOrder,
  listOrders,
  getOrder,
  getOrderRecord,
  payByAuthCode,
  getPayLink,
  payOrder,
  pollOrder,
  createWechatCode,
} from '../contract/order.ts'
import { payRecord } from '../contract/record.ts'
import { channelOfAuthCode, companyWideProject, scanRefusal } from '../domain/order.ts'
import { getOrderChannelClient } from './channels/channel-accounts.ts'
import type { Channel } from './channels/channel-client.ts'
import { assertOrderInDomain, orderDomainConditions } from './order-domain.ts'
import {
  acceptReceivedAmount,
  applyChannelResult,
  queryOrderAtChannel,
  queryOrderThrottled,
  assignOrderChannel,
  closePayOrder,
} from './order-query.ts'
import {
  toChannelOrderRequest,
  findOrder,
  assertChannelEnabled,
  findCallerOrder,
  callerScopeOf,
} from './order-lookup.ts'
import { openBillOrder } from './bill-order.ts'
import { withDayClosed, findDetails } from './record.ts'
import { toOrderView } from './order-subjects.ts'
import { lockDays } from './day-lock.ts'
import { sendToTerminal } from './terminal.ts'

/** The channel's own picture for an order. */
async function createChannelCode(
  c: AnonymousContext,
  orderNo: string,
  targetChannel: Channel,
): Promise<{ codeUrl: string }> {
  const ownerId = defined(c.caller).ownerId
  const callerOrder = await findCallerOrder(c, orderNo)
  await assertChannelEnabled(c, callerOrder, targetChannel)
  const assigned = await assignOrderChannel(c.app, ownerId, callerOrder, targetChannel, 'account')
  const client = await getOrderChannelClient(c.app, ownerId, assigned)
  return {
    codeUrl: await client.createQrCode(toChannelOrderRequest(assigned)).catch(err => {
      if (err instanceof Refused) throw err
      c.app.log.warn({ err: errorMessage(err) }, 'no code')
      return refuse('支付渠道未返回二维码，请稍后重试')
    }),
  }
}

export const orderHandlers = [
  writes(createOrder, async (input, { tx, scope, now, today }) => {
    if (!hasProject(scope.domain, input.projectCode)) throw outOfDomain()
    await lockDays(tx, scope.ownerId, input.projectCode, [today])
    const { payerKind: kind, payerId, payerName } = input
    const order = await openBillOrder(
      { tx, scope, now, today },
      {
        projectCode: input.projectCode,
        billIds: input.billIds.map(parseId),
        expectAmount: input.expectAmount,
        payer: { kind, id: payerId, name: payerName },
        remark: input.remark,
      },
    )
    return toOrderView(order)
  }),
  reads(getPayLink, async ({ orderNo }, { db, scope }) => toOrderView(await findOrder(db, scope, orderNo))),
  anonymous(pollOrder, async ({ orderNo }, c) =>
    toOrderView(
      await queryOrderThrottled(c.app, defined(c.caller).ownerId, await findCallerOrder(c, orderNo, 'view')),
    ),
  ),
  anonymous(queryOrder, async ({ orderNo }, c) =>
    toOrderView(
      await queryOrderAtChannel(c.app, defined(c.caller).ownerId, await findCallerOrder(c, orderNo)),
    ),
  ),
  anonymous(payByAuthCode, async ({ orderNo, authCode, orderType, payType }, c) => {
    const scannedCode = authCode?.replace(/\s/g, '')
    const callerOrder = await findCallerOrder(c, orderNo)
    const refusal = scanRefusal(callerOrder, { orderType, payType })
    if (refusal) return refuse(refusal)
    // PayType 6: the terminal's number is sent in the field of the payer's code.
    if (payType === 'pos')
      return scannedCode ? sendToTerminal(c, callerOrder, scannedCode) : refuse('请选择一台 POS 机')
    if (!scannedCode) throw invalidInput([{ Field: 'AuthCode', Message: '条码不能为空' }])
    const targetChannel = channelOfAuthCode(scannedCode)
    if (!targetChannel)
      throw invalidInput([
        { Field: 'AuthCode', Message: '不是付款码，请扫描付款人手机上微信或支付宝的付款码' },
      ])
    const ownerId = defined(c.caller).ownerId
    await assertChannelEnabled(c, callerOrder, targetChannel)
    const assigned = await assignOrderChannel(c.app, ownerId, callerOrder, targetChannel, 'scanner')
    const client = await getOrderChannelClient(c.app, ownerId, assigned)
    // No answer is no refusal: the order stays in 60 and is asked for (PAY-8).
    const answer = await client.payByAuthCode(toChannelOrderRequest(assigned), scannedCode).catch(err => {
      c.app.log.warn({ err: errorMessage(err), order: orderNo }, 'no answer to a code')
      return undefined
    })
    return toOrderView(
      answer ? await applyChannelResult(c.app, ownerId, assigned, answer, 'asked') : assigned,
    )
  }),
  anonymous(createWechatCode, ({ orderNo }, c) => createChannelCode(c, orderNo, 'wechat')),
  anonymous(createAlipayCode, ({ orderNo }, c) => createChannelCode(c, orderNo, 'alipay')),
  anonymous(closeOrder, async ({ orderNo }, c) => {
    const order = await findCallerOrder(c, orderNo)
    if (order.state === 'closed' || order.state === 'failed') return toOrderView(order)
    if (order.state === 'paid' || order.state === 'refunded')
      return refuse(
        order.state === 'paid' ? '该支付单已经收到款，不能取消；要退请办理退款' : '该支付单已退款',
      )
    const closed = await closePayOrder(
      c.app,
      defined(c.caller).ownerId,
      order,
      callerScopeOf(c),
      '收费员取消',
    )
    if (closed.state === 'paying') return refuse(`暂不能取消：${closed.failReason ?? '渠道未确认未付款'}`)
    return toOrderView(closed)
  }),
  anonymous(acceptOrder, async ({ orderNo }, c) =>
    toOrderView(
      await acceptReceivedAmount(c.app, defined(c.caller).ownerId, await findCallerOrder(c, orderNo, 'any')),
    ),
  ),
  reads(getOrderRecord, async ({ orderNo }, { db, scope }) => {
    const o = await findOrder(db, scope, orderNo, 'view')
    if (o.recordId === undefined) return refuse('该支付单尚未收到款')
    const [r] = await withDayClosed(db, scope, [await requireById(db, payRecord, scope, o.recordId)])
    return { ...defined(r), details: await findDetails(db, scope.ownerId, o.recordId) }
  }),
  reads(listOrders, (query, { db, scope }) =>
    findPage(db, payOrder, scope, query, {
      filters: [
        'orderType',
        'payType',
        'payMethod',
        'channel',
        'state',
        'amount',
        'createTime',
        'paidTime',
        'notifySource',
      ],
      sums: ['amount'],
      where: [sql`t.project_code <> ${companyWideProject}`, ...orderDomainConditions(scope)],
    }),
  ),
  reads(getOrder, async ({ id }, { db, scope }) => {
    const order = await requireById(db, payOrder, scope, id)
    await assertOrderInDomain(db, scope, id)
    return order
  }),
]
