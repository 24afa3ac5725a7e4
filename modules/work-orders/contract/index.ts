import { declareContract } from '#kit/contract/module-contract.ts'
import * as charge from './charge.ts'
import * as choices from './choices.ts'
import * as evaluation from './evaluation.ts'
import * as orderActions from './order-actions.ts'
import * as orderList from './order-list.ts'
import * as orderType from './order-type.ts'
import * as order from './order.ts'
import * as personConfig from './person-config.ts'
import * as receivers from './receivers.ts'
import * as record from './record.ts'
import * as resident from './resident.ts'
import * as settings from './settings.ts'
import * as statistics from './statistics.ts'
import * as workOrder from './work-order.ts'

export const contract = {
  base: 'workorder/v1',
  ...declareContract(
    choices,
    orderType,
    personConfig,
    receivers,
    workOrder,
    record,
    charge,
    evaluation,
    orderList,
    order,
    orderActions,
    settings,
    resident,
    statistics,
  ),
}
