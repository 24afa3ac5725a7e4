import { parseId } from '#kit/domain/id.ts'
import { createRefSource } from '#kit/web/refs.ts'
import { pickFollowers } from '../../contract/follower.ts'

/** Those who follow the form's account. */
export default createRefSource(pickFollowers, {
  value: follower => follower.id,
  label: follower => follower.openId,
  disabledReason: follower => (follower.isFollowing ? undefined : '已取消关注'),
  dependsOn: ['accountId'],
  inputFromContext: ({ accountId }) => {
    const ofAccount = parseId(String(accountId ?? ''))
    return ofAccount ? { ofAccount } : {}
  },
  inputForValues: ids => ({ ids: [...ids], size: Math.max(1, ids.length) }),
})
