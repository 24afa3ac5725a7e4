import { crudHandlers } from '#kit/server/crud.ts'
import { smsBlocks } from '../contract/block.ts'

export const blockServer = crudHandlers(smsBlocks, {
  unique: { sms_block_mobile_live: '该手机号已登记，请编辑原记录' },
  beforeInsert: (_, { scope }) => ({ operatorName: scope.name }),
})
