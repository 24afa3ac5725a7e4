import pg from 'pg'
import type { Database } from './db.ts'

interface Subscription {
  readonly onNotification: (payload: string) => void
  readonly onGap: (() => void) | undefined
  readonly onLost: (() => void) | undefined
}

const reconnectDelayMs = 500

/** The name of a connection that listens: `listens:live:session:`. */
const listenerName = (channels: Iterable<string>): string => `listens:${[...channels].toSorted().join(':')}:`

/** Who sends a message can count its hearers: `pg_stat_activity` shows the name. */
const setListenerName = (client: pg.Client, channels: Iterable<string>): Promise<unknown> =>
  client.query("select set_config('application_name', $1, false)", [listenerName(channels)])

function deliver({ payload }: pg.Notification, subscriptions: readonly Subscription[] = []): void {
  for (const subscription of subscriptions) {
    try {
      subscription.onNotification(payload ?? '')
    } catch {
      // Anyone on the database may notify: what cannot be read must not end the process.
    }
  }
}

/** Listens to channels over one connection, which is reopened whenever it breaks. */
export function openListener(config: pg.ClientConfig): Pick<Database, 'listen'> & { end(): Promise<void> } {
  const subscriptionsByChannel = new Map<string, Subscription[]>()
  let connection: pg.Client | undefined
  let opening: Promise<pg.Client> | undefined
  let hasEnded = false
  const subscriptions = (): Subscription[] => [...subscriptionsByChannel.values()].flat()
  const listenTo = async (client: pg.Client, channels: Iterable<string>): Promise<void> => {
    for (const channel of channels) {
      await client.query(`listen ${channel}`)
    }
    await setListenerName(client, subscriptionsByChannel.keys())
  }
  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client({ ...config, keepAlive: true })
    client.on('notification', message => deliver(message, subscriptionsByChannel.get(message.channel)))
    client.on('error', () => {})
    client.on('end', () => {
      if (connection === client) {
        connection = undefined
        for (const { onLost } of subscriptions()) {
          onLost?.()
        }
        reconnectLater()
      }
    })
    await client.connect()
    await listenTo(client, subscriptionsByChannel.keys())
    return (connection = client)
  }
  const reportGap = (): void => {
    for (const { onGap } of subscriptions()) {
      onGap?.()
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
      if (connection) return listenTo(connection, [channel])
      opening ??= open()
      try {
        await listenTo(await opening, [channel])
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
