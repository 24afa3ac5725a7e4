import { ExportPage } from '#kit/web/transfer/export-page.tsx'
import { listPlaces } from '../contract/park-place.ts'
import { exportPlaces } from '../contract/import-export.ts'

const exportFilters = ['parkId', 'placeState', 'placeType', 'ownKind', 'areaName', 'roomCode', 'endDate']

export default function ExportPlacesPage() {
  return (
    <ExportPage
      spec={exportPlaces}
      list={listPlaces}
      itemName="车位"
      columns={exportPlaces.columns}
      filters={exportFilters}
    />
  )
}
