import { refuse } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { writes } from '#kit/server/handler.ts'
import { requireById, update } from '#kit/server/table.ts'
import { lockDays } from '#modules/payments/server/public.ts'
import {
  exportHubExceptions,
  hubException,
  hubExceptions,
  processHubException,
} from '../contract/exception.ts'
import { settleByLastReading } from './settlement.ts'

export const exceptionServer = crudHandlers(hubExceptions, { export: exportHubExceptions })

export const exceptionHandlers = [
  writes(processHubException, async ({ id, handleNote, settlesOrder }, { tx, scope, now, today }) => {
    const { projectCode } = await requireById(tx, hubException, scope, id)
    await lockDays(tx, scope.ownerId, projectCode, [today])
    const exception = await requireById(tx, hubException, scope, id, { lock: true })
    if (exception.state !== 'open') return refuse('该异常已处理或已自动恢复，请刷新列表')
    if (settlesOrder) {
      if (exception.orderId === undefined) return refuse('该异常没有充电订单，请取消「结算订单」')
      await settleByLastReading(tx, scope, exception.orderId, now)
    }
    return update(tx, hubException, scope, id, {
      handleNote,
      handlerId: scope.operatorId,
      handlerName: scope.name,
      handleTime: now,
      state: 'handled',
    })
  }),
]
