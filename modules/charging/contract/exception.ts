import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, idOf, int, lookup, moment, ref, text } from '#kit/contract/field.ts'
import { recordIdField, recordOf, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { exceptionState, exceptionType } from './choices.ts'

const internalOnly = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const

/** What went wrong at a pile or with an order, until somebody has dealt with it. */
export const hubException = entity(
  'hubException',
  '充电异常',
  { table: 'charger_exception', tenancy: 'project', title: 'hubNo', order: ['-id'] },
  {
    projectCode: estateField(),
    hubId: ref('充电桩', 'chargerHub', {
      required: true,
      wire: 'HubID',
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    hubName: lookup('充电桩', 'hubId', 'hubName', { wire: 'HubName' }),
    hubNo: text('桩号', { required: true, max: 30, searchable: true, hiddenIn: ['filter'] }),
    portNo: int('端口', { hiddenIn: ['filter'] }),
    orderId: idOf('充电订单', { wire: 'OrderID', ...internalOnly }),
    orderNo: text('订单', { max: 30, searchable: true, hiddenIn: ['filter'] }),
    exceptionType: choice('类型', exceptionType, { required: true }),
    content: text('内容', { max: 200, wire: 'Content', hiddenIn: ['filter'] }),
    occurTime: moment('时间', { required: true }),
    handleNote: text('处理说明', { max: 200, hiddenIn: ['table', 'filter'] }),
    handlerId: idOf('处理人', { wire: 'HandlerID', ...internalOnly }),
    handlerName: text('处理人', { max: 40, hiddenIn: ['filter'] }),
    handleTime: moment('处理时间', { hiddenIn: ['table', 'filter'] }),
    state: choice('状态', exceptionState, { required: true, initial: 'open' }),
  },
)

export type HubException = Row<typeof hubException>

const { permissions } = menu.exception

export const hubExceptions = crud(hubException, {
  path: 'charger/v1/HubException',
  permissions,
  operations: ['list', 'get'],
  filters: ['hubId', 'exceptionType', 'occurTime', 'state'],
})

export const { list: listHubExceptions, get: getHubException } = hubExceptions

export const exportHubExceptions = crudExport(hubExceptions, { needs: permissions.export })

/** With a note; an order whose pile does not come back is settled by the last reading. */
export const processHubException = call({
  route: 'PUT charger/v1/HubException/PutProcess',
  title: '处理充电异常',
  needs: permissions.handle,
  affects: ['hubException', 'chargerOrder'],
  input: shape({
    id: recordIdField,
    handleNote: text('处理说明', { required: true, min: 2, max: 200, wire: ['HandleNote', 'Note'] }),
    settlesOrder: flag('结算订单', {
      wire: 'SettlesOrder',
      help: '充电桩不再上报时，按最后一次读数结算并退回余款',
    }),
  }),
  output: recordOf(hubException),
})
