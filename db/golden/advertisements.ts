import { addDays } from '#kit/domain/day.ts'
import { dayOfInstant } from '#kit/domain/moment.ts'
import type { Files } from '#kit/server/app.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert } from '#kit/server/table.ts'
import { advertisement } from '#modules/notices/contract/advertisement.ts'
import { drawPicture } from './demo-files.ts'

const width = 720
const height = 300

/** A lawn before a row of houses under a clear sky. */
const drawBanner = () =>
  drawPicture(width, height, (x, y) => {
    const roof = 90 + Math.abs(((x + 45) % 90) - 45)
    if (y > 232) return [120 + ((x * 7 + y * 3) % 12), 178, 108]
    if (y > roof + 46) return (x + 45) % 90 < 84 ? [246, 238, 222] : [206, 196, 180]
    if (y > roof) return [196, 104, 84]
    return [150 + Math.round(y / 4), 200 + Math.round(y / 8), 244]
  })

/** One on the residents' page, for the next two months. */
export async function seedAdvertisement(
  tx: Tx,
  scope: Scope,
  files: Files,
  { project, now }: { readonly project: string; readonly now: number },
): Promise<void> {
  const { ownerId, operatorId } = scope
  const { bytes, type } = drawBanner()
  const media = await files.save(ownerId, operatorId, { name: '社区花园.png', type, bytes }, undefined, tx)
  const today = dayOfInstant(now)
  await insert(tx, advertisement, scope, {
    title: '社区花园认养开始报名',
    position: 'app',
    media,
    projectCodes: [project],
    beginDate: today,
    endDate: addDays(today, 60),
    sort: 1,
    clickCount: 0,
    state: 'on',
  })
}
