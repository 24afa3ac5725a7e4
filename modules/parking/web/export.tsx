import { ExportPage } from '#kit/web/transfer/export-page.tsx'
import { listPlaces } from '../contract/place.ts'
import { exportPlaces, placeColumns } from '../contract/transfer.ts'

const filters = ['parkId', 'placeState', 'placeType', 'ownKind', 'areaName', 'roomCode', 'endDate']

export default function ExportPlacesPage() {
  return (
    <ExportPage of={exportPlaces} list={listPlaces} what="车位" columns={placeColumns} filters={filters} />
  )
}
