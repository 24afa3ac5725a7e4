import { keyOf, labelOf } from '#kit/contract/field.ts'
import { parseId } from '#kit/domain/id.ts'
import { createRefSource } from '#kit/web/refs.ts'
import { materialType, replyType } from '../../contract/choices.ts'
import { pickMaterials } from '../../contract/material.ts'

type MaterialType = keyof (typeof materialType)['rows']

/** Of the kind that the reply or the message has; nothing for a text. */
const typeOf = (value: unknown): MaterialType | undefined => {
  const key = typeof value === 'string' && value in replyType.rows ? value : keyOf(replyType, String(value))
  return key === 'image' || key === 'article' || key === 'video' ? key : undefined
}

/** Material of the form's account by title. */
export default createRefSource(pickMaterials, {
  value: material => material.id,
  label: material => material.title,
  note: material => labelOf(materialType, material.mediaType),
  dependsOn: ['accountId', 'replyType', 'messageType'],
  inputFromContext: ({ accountId, replyType: ofReply, messageType }) => {
    const ofAccount = parseId(String(accountId ?? ''))
    const ofType = typeOf(ofReply ?? messageType)
    return { ...(ofAccount ? { ofAccount } : {}), ...(ofType ? { ofType } : {}) }
  },
  inputForValues: ids => ({ ids: [...ids], size: Math.max(1, ids.length) }),
})
