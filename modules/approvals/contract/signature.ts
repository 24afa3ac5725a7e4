import { call, everyone } from '#kit/contract/call.ts'
import { entity } from '#kit/contract/entity.ts'
import { file, moment, ref } from '#kit/contract/field.ts'
import { noData, shape } from '#kit/contract/shape.ts'

/**
 * How somebody signs, drawn once; a new one takes its place. A decision keeps the one of its day, so that a
 * form printed later is signed as it was.
 */
export const processSignature = entity(
  'processSignature',
  '审批签名',
  { table: 'process_signature', tenancy: 'company', title: 'managerId', order: ['-id'] },
  {
    managerId: ref('签名人', 'manager', { required: true, wire: 'ManagerID' }),
    signature: file('签名', { required: true, wire: 'SignUrl' }),
    signTime: moment('签名时间', { required: true, wire: 'SignTime' }),
  },
)

const { signature, signTime } = processSignature.fields

/** The caller's own; nothing where they have none. */
export const getOwnSignature = call({
  route: 'GET ProcessSignature/GetMine',
  title: '查看我的审批签名',
  needs: everyone,
  input: shape({}),
  output: shape(
    { signature: { ...signature, required: false }, signTime: { ...signTime, required: false } },
    { entity: 'processSignature' },
  ),
})

export const saveOwnSignature = call({
  route: 'POST ProcessSignature/Post',
  title: '保存我的审批签名',
  needs: everyone,
  affects: ['processSignature'],
  input: shape({ signature }),
  output: noData,
})

export const removeOwnSignature = call({
  route: 'POST ProcessSignature/PostRemove',
  title: '停用我的审批签名',
  needs: everyone,
  affects: ['processSignature'],
  input: shape({}),
  output: noData,
})
