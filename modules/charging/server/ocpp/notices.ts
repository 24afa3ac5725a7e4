import type { App } from '#kit/server/app.ts'
import { sendCommand, sendStart, sendStop } from './commands.ts'
import { connectionsOf, type HubConnection } from './connections.ts'
import { noticeChannel, type AddressedNotice } from './hub-notice.ts'

async function handleNotice(app: App, connection: HubConnection, notice: AddressedNotice): Promise<void> {
  switch (notice.kind) {
    case 'start':
      return sendStart(app, connection, notice.orderId)
    case 'stop':
      await sendStop(app, connection, notice.orderId)
      return
    case 'command':
      return sendCommand(app, connection, notice.commandId)
    case 'key':
      return connection.close(1008, 'the key has changed')
    case 'connected':
      if (notice.connectionKey !== connection.connectionKey) {
        connection.close(1000, 'connected again')
      }
  }
}

/** Hears what any process has for the piles that are connected here. */
export const listenToHubNotices = (app: App): Promise<void> =>
  app.database.listen(noticeChannel, text => {
    const notice: AddressedNotice = JSON.parse(text)
    const connection = connectionsOf(app).find(notice.ownerId, notice.hubId)
    if (!connection) return
    handleNotice(app, connection, notice).catch((err: unknown) =>
      app.log.warn({ err, hub: notice.hubId }, 'notice for a pile not handled'),
    )
  })
