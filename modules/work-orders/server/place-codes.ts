import { parseId, type Id } from '#kit/domain/id.ts'
import { invalidField, refuse } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { createPdf, drawQr, fitText, type PdfDocument } from '#kit/server/pdf.ts'
import type { Scope } from '#kit/server/scope.ts'
import { countRows, findAll, findPage } from '#kit/server/table.ts'
import { publicArea } from '#modules/estates/contract/public-area.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { roomKeywordCondition } from '#modules/rooms/server/public.ts'
import { listPlaceCodes, printPlaceCodes } from '../contract/resident.ts'
import { makeToken, urlOf } from './resident-token.ts'
import { findEstate } from './resident-view.ts'

type Input = Omit<NonNullable<typeof printPlaceCodes.input.T>, 'origin'>

interface Place {
  readonly id: Id
  readonly code: string
  readonly name: string
  readonly buildCode?: string | undefined
}

const maxPrinted = 500

const conditionsOf = ({ buildCodes = [], ids = [] }: Input) => [
  ...(buildCodes.length ? [sql`t.build_code = any(${[...buildCodes]}::text[])`] : []),
  ...(ids.length ? [sql`t.id = any(${ids.map(parseId)}::bigint[])`] : []),
]

const roomPlace = (found: { id: Id; code?: string; path: string; buildCode?: string }): Place => ({
  id: found.id,
  code: found.code ?? '',
  name: found.path,
  buildCode: found.buildCode,
})

async function listPlaces(
  db: Db,
  scope: Scope,
  input: Input,
  { keyword, ...query }: { readonly page?: number; readonly size?: number; readonly keyword?: string },
) {
  const { projectCode, placeKind } = input
  const where = conditionsOf(input)
  if (placeKind === 'room') {
    const byKeyword = keyword
      ? [sql`(${roomKeywordCondition(scope.ownerId, keyword)} or t.code = ${keyword})`]
      : []
    const found = await findPage(
      db,
      room,
      scope,
      { ...query, projectCode },
      { where: [...where, ...byKeyword] },
    )
    return { total: found.total, rows: found.rows.map(roomPlace) }
  }
  const found = await findPage(
    db,
    publicArea,
    scope,
    { ...query, ...(keyword ? { keyword } : {}), projectCode },
    { where },
  )
  return {
    total: found.total,
    rows: found.rows.map(({ id, code = '', name, buildCode }): Place => ({ id, code, name, buildCode })),
  }
}

async function allPlaces(db: Db, scope: Scope, input: Input): Promise<Place[]> {
  const { projectCode, placeKind } = input
  const entity = placeKind === 'room' ? room : publicArea
  const where = conditionsOf(input)
  const total = await countRows(db, entity, scope, { projectCode }, { where })
  if (!total) return refuse('无符合条件的位置')
  if (total > maxPrinted) return refuse(`共 ${total} 个位置，一次最多打印 ${maxPrinted} 个，请按楼栋分开打印`)
  return placeKind === 'room'
    ? (await findAll(db, room, scope, { projectCode }, { where, limit: maxPrinted })).map(roomPlace)
    : (await findAll(db, publicArea, scope, { projectCode }, { where, limit: maxPrinted })).map(
        ({ id, code = '', name, buildCode }): Place => ({ id, code, name, buildCode }),
      )
}

const addLinks = (app: Pick<App, 'database'>, ownerId: Id, kind: 'room' | 'area', places: readonly Place[]) =>
  Promise.all(
    places.map(async place => ({
      ...place,
      placeKind: kind,
      url: urlOf(await makeToken(app, { kind, ownerId, id: place.id })),
    })),
  )

/** Three in a row, five rows on a page of A4; points. */
const columns = 3
const rowsOnPage = 5
const cell = { width: 178, height: 158 }
const margin = 30
const qrSize = 112

function drawCells(
  paper: PdfDocument,
  estateName: string,
  origin: string,
  places: readonly { name: string; url: string }[],
) {
  places.forEach((place, i) => {
    const onPage = i % (columns * rowsOnPage)
    if (i > 0 && onPage === 0) {
      paper.addPage()
    }
    const x = margin + (onPage % columns) * cell.width
    const y = margin + Math.floor(onPage / columns) * cell.height
    drawQr(paper, `${origin}${place.url}`, x + (cell.width - qrSize) / 2, y, qrSize)
    const text = { width: cell.width, align: 'center' as const, lineBreak: false }
    paper.font('bold').fontSize(10)
    paper.text(fitText(paper, place.name, cell.width - 12), x, y + qrSize + 2, text)
    paper.font('plain').fontSize(8)
    paper.text(fitText(paper, `${estateName} · 扫码报事`, cell.width - 12), x, y + qrSize + 18, text)
  })
}

/** What hangs in the entrance leads to the product alone, by the name that it is reached by. */
function assertOwnAddress(origin: string, ownOrigin: string | undefined): void {
  if (ownOrigin === undefined || URL.parse(origin)?.hostname === URL.parse(ownOrigin)?.hostname) return
  throw invalidField('Origin', `网址应为本系统的地址（${ownOrigin}）`)
}

export const placeCodeHandlers = [
  reads(listPlaceCodes, async ({ page, size, keyword, ...input }, { db, scope, app }) => {
    const found = await listPlaces(db, scope, input, {
      ...(page ? { page } : {}),
      ...(size ? { size } : {}),
      ...(keyword ? { keyword } : {}),
    })
    return { total: found.total, rows: await addLinks(app, scope.ownerId, input.placeKind, found.rows) }
  }),
  reads(printPlaceCodes, async ({ origin, ...input }, { db, scope, app, origin: ownOrigin }) => {
    assertOwnAddress(origin, ownOrigin)
    const places = await addLinks(app, scope.ownerId, input.placeKind, await allPlaces(db, scope, input))
    const estate = await findEstate(db, scope.ownerId, input.projectCode)
    return createPdf({ name: '报事二维码.pdf', title: '报事二维码', size: 'A4', margin }, paper =>
      drawCells(paper, estate?.name ?? '', origin.replace(/\/+$/, ''), places),
    )
  }),
]
