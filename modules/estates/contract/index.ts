import * as area from './area.ts'
import * as building from './building.ts'
import * as estate from './estate.ts'
import * as transfer from './transfer.ts'

export const contract = {
  calls: [
    estate.listEstates,
    estate.oneEstate,
    estate.addEstate,
    estate.editEstate,
    estate.deleteEstates,
    estate.getSettings,
    estate.putSetting,
    building.listBuildings,
    building.pickBuildings,
    building.pickUnits,
    building.addBuilding,
    building.editBuilding,
    building.deleteBuildings,
    area.listAreas,
    area.oneArea,
    area.addArea,
    area.editArea,
    area.deleteAreas,
    ...transfer.importBuildings.calls,
    ...transfer.exportBuildings.calls,
    ...transfer.exportAreas.calls,
  ],
  entities: [estate.estate, building.building, building.unit, area.publicArea],
  choices: [
    estate.projectType,
    estate.feeMode,
    estate.inUse,
    building.unitType,
    building.buildType,
    area.areaType,
    area.rentState,
  ],
}
