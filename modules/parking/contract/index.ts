import * as park from './park.ts'
import * as place from './place.ts'
import * as transfer from './transfer.ts'
import * as words from './words.ts'

export const contract = {
  calls: [
    park.listParks,
    park.pickParks,
    park.onePark,
    park.freshParkCode,
    park.addPark,
    park.editPark,
    park.deleteParks,
    park.parkFigures,
    place.listPlaces,
    place.onePlace,
    place.placeByCode,
    place.addPlace,
    place.editPlace,
    place.deletePlaces,
    place.changePlaceState,
    place.placeCounts,
    place.placeNodes,
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
