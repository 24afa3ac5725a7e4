// 用接口密钥调用接口：按页读房间，密钥要有「房间与商铺」的权限。
//   ANJU_URL=http://127.0.0.1:8100 ANJU_KEY=anju_… node docs/samples/first-calls.ts

interface Answer<T> {
  readonly Code: number
  readonly Message: string
  readonly Data: T
  readonly Total?: number
}

const { ANJU_URL = 'http://127.0.0.1:8100', ANJU_KEY = '' } = process.env

/** One call. Waits when the key is used too often; a refusal is thrown with the server's own words. */
async function get<T>(path: string, query: Record<string, string | number>): Promise<Answer<T>> {
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const response = await fetch(`${ANJU_URL}/api/${path}?${parameters}`, {
    headers: { authorization: `Bearer ${ANJU_KEY}` },
  })
  if (response.status === 429) {
    await new Promise(done => setTimeout(done, 1000 * Number(response.headers.get('retry-after') ?? 5)))
    return get(path, query)
  }
  const answer: Answer<T> = await response.json()
  if (answer.Code !== 10000) throw new Error(`${path}: ${answer.Message}`)
  return answer
}

interface Room {
  readonly ID: number
  readonly ProjectCode: string
  readonly RoomPath: string
}

const { Data: rooms, Total } = await get<Room[]>('room/get', { PageIndex: 1, PageSize: 5 })
console.log(`${Total} 间`)
for (const room of rooms) {
  console.log(room.ProjectCode, room.RoomPath)
}
