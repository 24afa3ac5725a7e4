import { registerResidentPart } from '#modules/resident-page/server/public.ts'
import { makeToken, urlOf } from './resident-token.ts'

registerResidentPart({
  key: 'repair',
  title: '报事报修',
  icon: 'repair',
  order: 30,
  // A worker reports at the code of the place where something is broken.
  load: async ({ app, resident: { ownerId }, home: { roomId } }) =>
    roomId === undefined
      ? undefined
      : { url: urlOf(await makeToken(app, { kind: 'room', ownerId, id: roomId })) },
})
