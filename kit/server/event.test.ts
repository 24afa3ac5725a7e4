import { expect, it } from 'vitest'
import { defineEvent } from './event.ts'

it('listeners hear an event one after the other, in the order they came', async () => {
  const [subscribe, publish] = defineEvent<[room: string, day: number]>()
  const heard: string[] = []
  subscribe(async (room, day) => {
    await Promise.resolve()
    heard.push(`first ${room} ${day}`)
  })
  subscribe(room => heard.push(`second ${room}`))
  await publish('A-101', 3)
  expect(heard).toEqual(['first A-101 3', 'second A-101'])
})

it('what a listener refuses reaches the publisher, and later listeners do not hear of it', async () => {
  const [subscribe, publish] = defineEvent<[]>()
  let isHeard = false
  subscribe(() => Promise.reject(new Error('closed')))
  subscribe(() => {
    isHeard = true
  })
  await expect(publish()).rejects.toThrow('closed')
  expect(isHeard).toBe(false)
})
