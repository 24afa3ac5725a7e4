import { createRefSource } from '#kit/web/refs.ts'
import { wechatImageGroups } from '../../contract/material.ts'

/** Groups of the form's account by name. */
export default createRefSource(wechatImageGroups.list, {
  value: group => group.id,
  label: group => group.groupName,
  dependsOn: ['accountId'],
  inputFromContext: ({ accountId }) =>
    accountId === undefined ? {} : { accountId: [accountId].flat().map(String) },
  inputForValues: ids => ({ ids: [...ids], size: Math.max(1, ids.length) }),
})
