import { randomBytes } from 'node:crypto'
import { crudHandlers } from '#kit/server/crud.ts'
import { defineImport } from '#kit/server/crud-import.ts'
import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import { findAll } from '#kit/server/table.ts'
import type { Building } from '#modules/estates/contract/building.ts'
import type { Estate } from '#modules/estates/contract/estate.ts'
import { openSheetPlaces } from '#modules/rooms/server/public.ts'
import {
  cleaningLocation,
  cleaningLocations,
  exportLocations,
  importLocations,
  type CleaningLocation,
} from '../contract/location.ts'
import { cleaningTemplate } from '../contract/template.ts'

/** A sign of its own for a new point. */
const newSign = (): Pick<CleaningLocation, 'qrCode'> => ({ qrCode: randomBytes(12).toString('hex') })

/** What a point is called in a sheet: its name, on its floor, in its building or outside. */
const placeOf = ({
  locationName,
  buildCode,
  floorNum,
}: Partial<Pick<CleaningLocation, 'locationName' | 'buildCode' | 'floorNum'>>): string =>
  JSON.stringify([locationName, buildCode ?? '', floorNum ?? 0])

const locationImport = defineImport(cleaningLocations, importLocations, {
  load: async (db, { scope, extraInput }, lock) => ({
    places: await openSheetPlaces(db, scope, extraInput.projectCode, lock),
    templates: await findAll(db, cleaningTemplate, scope),
    existing: new Map(
      (await findAll(db, cleaningLocation, scope, { projectCode: extraInput.projectCode })).map(
        location => [placeOf(location), location] as const,
      ),
    ),
  }),
  find: (row, { data }) => data.existing.get(placeOf(row)),
  references: {
    buildCode: (name, { places }) => places.buildingsNamed(name),
    templateId: (name, { templates }) =>
      templates.filter(({ templateName }) => templateName === name).map(({ id }) => id),
  },
  values: (row, _, existing) => ({ ...row, ...(existing ? {} : newSign()) }),
})

export const locationServer = crudHandlers(cleaningLocations, {
  unique: { cleaning_location_name_live: '该楼层已有同名保洁点位' },
  refusesChangeOf: ['projectCode'],
  beforeInsert: newSign,
  import: locationImport,
  export: exportLocations,
})

// BASE-5
registerDependentRows('estate', {
  label: '保洁点位',
  table: 'cleaning_location',
  where: ({ projectCode }: Estate) => sql`project_code = ${projectCode}`,
})
registerDependentRows('building', {
  label: '保洁点位',
  table: 'cleaning_location',
  where: ({ projectCode, code }: Building) => sql`project_code = ${projectCode} and build_code = ${code}`,
})
