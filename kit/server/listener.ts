import pg from 'pg'
import type { Database } from './db.ts'

/** Channels heard over one connection, which is opened anew whenever it breaks. */
export function openListener(config: pg.ClientConfig): Pick<Database, 'listen'> & { end(): Promise<void> } {
  const heard = new Map<string, { heard: (payload: string) => void; gap: (() => void) | undefined }[]>()
  let line: pg.Client | undefined
  let opening: Promise<pg.Client> | undefined
  let ended = false
  const open = async (): Promise<pg.Client> => {
    const c = new pg.Client({ ...config, keepAlive: true })
    c.on('notification', n => {
      for (const h of heard.get(n.channel) ?? []) {
        h.heard(n.payload ?? '')
      }
    })
    c.on('error', () => {})
    c.on('end', () => {
      if (line === c) {
        line = undefined
        again()
      }
    })
    await c.connect()
    for (const channel of heard.keys()) {
      await c.query(`listen ${channel}`)
    }
    return (line = c)
  }
  const again = (): void => {
    if (ended) return
    setTimeout(() => {
      if (ended || line) return
      open().then(() => {
        for (const all of heard.values()) {
          for (const h of all) {
            h.gap?.()
          }
        }
      }, again)
    }, 500).unref()
  }
  return {
    listen: async (channel, on, gap) => {
      const known = heard.get(channel)
      heard.set(channel, [...(known ?? []), { heard: on, gap }])
      if (known) return
      if (line) {
        await line.query(`listen ${channel}`)
      } else {
        opening ??= open()
        try {
          await (await opening).query(`listen ${channel}`)
        } finally {
          opening = undefined
        }
      }
    },
    end: async () => {
      ended = true
      await line?.end().catch(() => {})
    },
  }
}
