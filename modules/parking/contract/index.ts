import * as park from './park.ts'
import * as place from './park-place.ts'
import * as transfer from './import-export.ts'
import * as labels from './labels.ts'

export const contract = {
  calls: [
    ...park.parks.calls,
    park.pickParks,
    park.generateParkCode,
    park.listParkStatistics,
    ...place.parkPlaces.calls,
    place.getPlaceByCode,
    place.changePlaceState,
    place.countPlacesByState,
    place.listPlaceNodes,
    ...transfer.importPlaces.calls,
    ...transfer.exportPlaces.calls,
  ],
  entities: [park.park, place.parkPlace],
  choices: Object.values(labels),
}
