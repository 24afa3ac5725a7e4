import { afterEach, expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { session } from '#kit/web/session.ts'
import { draftKey, photosKey } from './walk-draft.ts'

afterEach(() => session.setState({ signed: undefined }))

it('what one guard filled in at a point is not that of the next guard on the same phone', () => {
  const keys = [1, 2].flatMap(id => {
    const manager = { id: asId(id), ownerId: asId(1), loginCode: 'g', companyName: '安居', realName: '甲' }
    session.setState({ signed: { token: 'x', manager } })
    return [draftKey(asId(7)), photosKey(asId(7))]
  })
  expect(new Set(keys).size).toBe(4)
})
