import { UnknownSecret, resultCode } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { readSignedLink, signLink, type SignedLink } from '#kit/server/signed-link.ts'
import { paths } from '../module.ts'

const purpose = 'activity-check-in'
const letters = { place: 'p', sign: 's' } as const

type LinkApp = Pick<App, 'database'>

const invalidCode = (): UnknownSecret =>
  new UnknownSecret('签到码无效，请扫描活动现场的签到码', resultCode.notFound)

/** What hangs at the place of an activity. */
export const placeUrlOf = async (app: LinkApp, ownerId: Id, id: Id): Promise<string> =>
  `${paths.homeActivity}?c=${await signLink(app, purpose, { letter: letters.place, ownerId, id })}`

export async function readPlaceCode(app: LinkApp, code: string): Promise<SignedLink> {
  const link = await readSignedLink(app, purpose, code)
  if (link?.letter !== letters.place) throw invalidCode()
  return link
}

/** What a resident shows at the place. */
export const signCodeOf = (app: LinkApp, ownerId: Id, id: Id): Promise<string> =>
  signLink(app, purpose, { letter: letters.sign, ownerId, id })

/** The sign-up behind a code that was shown; nothing for one of another company. */
export async function readSignCode(app: LinkApp, ownerId: Id, code: string): Promise<Id | undefined> {
  const link = await readSignedLink(app, purpose, code)
  return link?.letter === letters.sign && link.ownerId === ownerId ? link.id : undefined
}
