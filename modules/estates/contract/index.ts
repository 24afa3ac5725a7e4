import * as area from './public-area.ts'
import * as building from './building.ts'
import * as estate from './estate.ts'
import * as transfer from './import-export.ts'

export const contract = {
  calls: [
    estate.listEstates,
    estate.getEstate,
    estate.addEstate,
    estate.editEstate,
    estate.deleteEstates,
    estate.listEstateSettings,
    estate.updateEstateSetting,
    building.listBuildings,
    building.pickBuildings,
    building.pickUnits,
    building.addBuilding,
    building.editBuilding,
    building.deleteBuildings,
    area.listPublicAreas,
    area.getPublicArea,
    area.addPublicArea,
    area.editPublicArea,
    area.deletePublicAreas,
    ...transfer.importBuildings.calls,
    ...transfer.exportBuildings.calls,
    ...transfer.exportPublicAreas.calls,
  ],
  entities: [estate.estate, building.building, building.unit, area.publicArea],
  choices: [
    estate.projectType,
    estate.feeMode,
    estate.enabledState,
    building.unitType,
    building.buildType,
    area.areaType,
    area.rentState,
  ],
}
