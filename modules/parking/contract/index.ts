import * as park from './park.ts'
import * as place from './park-place.ts'
import * as transfer from './import-export.ts'
import * as words from './labels.ts'

export const contract = {
  calls: [
    park.listParks,
    park.pickParks,
    park.getPark,
    park.generateParkCode,
    park.addPark,
    park.editPark,
    park.deleteParks,
    park.listParkStatistics,
    place.listPlaces,
    place.getPlace,
    place.getPlaceByCode,
    place.addPlace,
    place.editPlace,
    place.deletePlaces,
    place.changePlaceState,
    place.countPlacesByState,
    place.listPlaceNodes,
    ...transfer.importPlaces.calls,
    ...transfer.exportPlaces.calls,
  ],
  entities: [park.park, place.parkPlace],
  choices: [
    words.parkType,
    words.fullPolicy,
    words.placeType,
    words.ownKind,
    words.placeState,
    words.placeLevel,
  ],
}
