import pg from 'pg'
import type { Database } from './db.ts'

interface Subscription {
  readonly onNotification: (payload: string) => void
  readonly onGap: (() => void) | undefined
  readonly onLost: (() => void) | undefined
}

const reconnectDelayMs = 500

/** The name of a connection that listens: `listens:live:session:`. */
const listenerName = (channels: Iterable<string>): string => `listens:${[...channels].sort().join(':')}:`

/** Listens to channels over one connection, which is opened anew whenever it breaks. */
export function openListener(config: pg.ClientConfig): Pick<Database, 'listen'> & { end(): Promise<void> } {
  const subscriptionsByChannel = new Map<string, Subscription[]>()
  let connection: pg.Client | undefined
  let opening: Promise<pg.Client> | undefined
  let hasEnded = false
  // Who sends a message can count its hearers: `pg_stat_activity` shows the name.
  const announceChannels = (client: pg.Client): Promise<unknown> =>
    client.query("select set_config('application_name', $1, false)", [
      listenerName(subscriptionsByChannel.keys()),
    ])
  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client({ ...config, keepAlive: true })
    client.on('notification', notification => {
      for (const subscription of subscriptionsByChannel.get(notification.channel) ?? []) {
        try {
          subscription.onNotification(notification.payload ?? '')
        } catch {
          // Anyone on the database may notify: what cannot be read must not end the process.
        }
      }
    })
    client.on('error', () => {})
    client.on('end', () => {
      if (connection === client) {
        connection = undefined
        for (const subscription of [...subscriptionsByChannel.values()].flat()) {
          subscription.onLost?.()
        }
        reconnectLater()
      }
    })
    await client.connect()
    for (const channel of subscriptionsByChannel.keys()) {
      await client.query(`listen ${channel}`)
    }
    await announceChannels(client)
    return (connection = client)
  }
  const reportGap = (): void => {
    for (const subscription of [...subscriptionsByChannel.values()].flat()) {
      subscription.onGap?.()
    }
  }
  const reconnectLater = (): void => {
    if (hasEnded) return
    setTimeout(() => {
      if (hasEnded || connection) return
      open().then(reportGap, reconnectLater)
    }, reconnectDelayMs).unref()
  }
  return {
    listen: async (channel, onNotification, onGap, onLost) => {
      const known = subscriptionsByChannel.get(channel)
      subscriptionsByChannel.set(channel, [...(known ?? []), { onNotification, onGap, onLost }])
      if (known) return
      if (connection) {
        await connection.query(`listen ${channel}`)
        await announceChannels(connection)
        return
      }
      opening ??= open()
      try {
        const client = await opening
        await client.query(`listen ${channel}`)
        await announceChannels(client)
      } finally {
        opening = undefined
      }
    },
    end: async () => {
      hasEnded = true
      await connection?.end().catch(() => {})
    },
  }
}
