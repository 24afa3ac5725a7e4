import type { Id } from '#kit/domain/id.ts'
import type { Files } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { drawPicture, type Colour, type DemoContent } from './demo-files.ts'

const width = 240
const height = 300
const background: Colour = [236, 238, 240]
const hair: Colour = [52, 46, 44]
const skin: Colour = [230, 194, 168]
const eye: Colour = [40, 36, 36]

const isWithin = (x: number, y: number, cx: number, cy: number, rx: number, ry: number): boolean =>
  ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 <= 1

/** A head before a plain background: of nobody. Each has a shirt of its own. */
const portraitOf = (no: number): DemoContent =>
  drawPicture(width, height, (x, y) => {
    if (isWithin(x, y, 92, 140, 9, 6) || isWithin(x, y, 148, 140, 9, 6)) return eye
    if (isWithin(x, y, 120, 192, 24, 5)) return [176, 92, 88]
    if (isWithin(x, y, 120, 152, 70, 92) && y > 92) return skin
    if (isWithin(x, y, 120, 132, 80, 96) && y < 150) return hair
    if (isWithin(x, y, 120, 312, 112, 76)) return [60 + ((no * 37) % 160), 90 + ((no * 53) % 120), 150]
    return background
  })

/** The demo's faces get photos, which devices of doors can fetch. */
export async function seedFacePhotos(tx: Tx, scope: Scope, files: Files): Promise<void> {
  const { ownerId, operatorId } = scope
  const faces = await tx.rows<{ id: Id }>(sql`
    select id from face_key where owner_id = ${ownerId} and ${notDeleted()} order by id
  `)
  const keys: string[] = []
  for (const no of faces.keys()) {
    const { bytes, type } = portraitOf(no)
    keys.push(await files.save(ownerId, operatorId, { name: '人脸.png', type, bytes }, undefined, tx))
  }
  await tx.execute(sql`
    update face_key as t
    set face = n.key
    from unnest(${faces.map(({ id }) => id)}::bigint[], ${keys}::text[]) as n(id, key)
    where t.owner_id = ${ownerId} and t.id = n.id
  `)
}
