import { afterEach, expect, it, vi } from 'vitest'
import { SimulatedPile } from './pile.ts'

const sent: string[] = []

/** A server that answers everything with nothing. */
class AnsweringSocket extends EventTarget {
  static readonly OPEN = 1
  readonly readyState = 1
  constructor() {
    super()
    queueMicrotask(() => this.dispatchEvent(new Event('open')))
  }
  send(text: string): void {
    const [, id, action] = JSON.parse(text)
    sent.push(String(action))
    queueMicrotask(() =>
      this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify([3, id, {}]) })),
    )
  }
  close(): void {
    this.dispatchEvent(new Event('close'))
  }
}

afterEach(() => vi.unstubAllGlobals())

it('a pile that charges nothing reports each minute that it is there', async () => {
  vi.stubGlobal('WebSocket', AnsweringSocket)
  const pile = new SimulatedPile({
    url: 'ws://pile',
    hubNo: 'P1',
    key: 'k',
    ports: 1,
    watts: 7000,
    speed: 60,
  })
  await pile.connect()
  sent.length = 0
  for (let second = 0; second < 180; second++) {
    pile.tick(1)
  }
  expect(sent).toEqual(['Heartbeat', 'Heartbeat', 'Heartbeat'])
  pile.stop()
})
