/** Words that names are made of. Places, schools and people are invented; any likeness is chance. */

const words = (list: string): string[] => list.trim().replaceAll(/\s+/g, ' ').split(', ')

export const places = words(`
  Amber Falls, Ashgrove, Bellmoor, Birchwater, Blackmarsh, Brackenridge, Brightwater, Calder Bay, Carrow
  Hills, Cedar Plains, Cinder Creek, Copperfield, Cranbrook Flats, Dunmere, Eastlake Point, Elder Springs,
  Fallow County, Fernhollow, Flintshore, Foxhaven, Garnet Valley, Glasswater, Granite Pass, Greywick,
  Halvern, Harrow Mills, Hazelport, Hollins Ferry, Ironwood, Juniper Bluff, Kestrel Bay, Kingsmarch,
  Larkspur, Linden Heights, Longmeadow, Maple Crossing, Marrow Lake, Mistral Cove, Moorgate, Northfen,
  Oakhurst, Old Quarry, Orchard City, Pebble Coast, Pinecrest, Port Varley, Quillon, Ravensford, Redstone
  Gap, Rookwood, Saltmarsh, Sandhollow, Silverpine, Stonebridge, Summerfield, Tallgrass, Thornbury, Twin
  Rivers, Umberton, Vesper Lake, Wexmoor, Whitecap, Wildmoor, Yarrow Springs
`)

export const mascots = words(`
  Otters, Herons, Lynxes, Kestrels, Badgers, Stags, Marlins, Coyotes, Bison, Ospreys, Foxes, Ravens,
  Pilots, Millers, Foresters, Lanterns, Comets, Anchors, Surveyors, Blacksmiths, Harvesters, Beacons,
  Moose, Falconers, Rangers, Drovers, Ferrymen, Voyagers, Thunderbirds, Cranes, Salmon, Monarchs,
  Glaciers, Cyclones, Whalers, Carpenters, Nightjars, Quarrymen, Petrels, Wardens
`)

export const firstNames = words(`
  Aaron, Adrian, Alden, Andre, Anton, Ari, Asher, Beckett, Benji, Blake, Bram, Bryce, Caleb, Cam, Cassius,
  Cedric, Clay, Cole, Corin, Dakari, Damon, Dante, Darius, Deion, Desmond, Devon, Dmitri, Eli, Emeka,
  Enzo, Ezra, Felix, Finn, Gideon, Grant, Hale, Hugo, Idris, Isaac, Ivan, Jabari, Jace, Jalen, Jamal,
  Jonas, Josiah, Jude, Kai, Keenan, Kofi, Lamar, Leo, Levi, Luca, Malik, Marcus, Mateo, Micah, Milan,
  Nico, Noah, Omar, Orion, Otis, Pablo, Pierce, Quentin, Rafael, Reggie, Rhys, Roman, Rowan, Santiago,
  Silas, Soren, Tariq, Theo, Tobias, Tre, Ulises, Victor, Wes, Xavier, Yusuf, Zane, Zion
`)

export const lastNames = words(`
  Abernath, Adeyo, Alcorran, Ambrose, Archuleto, Ashdown, Balogune, Barrowell, Beaumonte, Bellweather,
  Bexley, Birchard, Bonnevale, Brightman, Brookings, Cadwell, Calloway, Carrick, Castellane, Chidubem,
  Coldwater, Corwin, Crestwell, Dacosta, Darrowby, Delacroy, Diallobe, Dunmore, Eastman, Ekwueme, Ellery,
  Fairbrook, Farrowe, Fenwick, Ferrante, Fontaineau, Gallowhill, Garrity, Goldwyn, Greenlaw, Hadleigh,
  Halloran, Hargrave, Hartwick, Hawthorn, Holloway, Ibarro, Ingleby, Jankovich, Jessup, Kallberg, Kamaro,
  Keswick, Kingsley, Kovalen, Lachlan, Langford, Larkin, Lindqvist, Lockhart, Maddox, Marchetto, Marlowe,
  Mbekeni, Mercado, Merriweather, Montrose, Nakamoro, Nightingale, Northcott, Norwood, Obiora, Okonedo,
  Oakley, Ostrander, Pemberton, Pennington, Petrovin, Quigley, Quintero, Radcliffe, Ransome, Redfern,
  Rosewood, Rutherford, Sandoval, Sefton, Severin, Shackleford, Silverton, Sorensen, Stallworth, Stanhope,
  Tamsin, Thackeray, Thibodeau, Tolliver, Trevelyan, Underhill, Vanterpool, Vasquero, Voss, Wainwright,
  Walcott, Whitlock, Winslow, Wolcott, Yarborough, Yeboa, Zamorano
`)

export const networks = [
  'Courtside',
  'Gridline',
  'Hearth TV',
  'Northstar+',
  'Pioneer Sports',
  'Lantern 2',
] as const

/** First and second colours of the teams, taken in turn; some teams have no second one. */
export const colors = words(`
  #0B3D91 #F2B705, #7A0019 #FFCC33, #14532D #D4D4D8, #4C1D95, #C2410C #1F2937, #0F766E #FDE68A, #991B1B
  #FFFFFF, #1E3A5F #A8DADC, #3F3F46 #F97316, #9D174D, #166534 #FACC15, #1D4ED8 #E5E7EB, #78350F #FBBF24,
  #5B21B6 #C4B5FD, #0E7490 #083344, #B91C1C #111827, #365314, #BE185D #FCE7F3, #0369A1 #F0F9FF, #44403C
  #D6D3D1
`).map((pair) => pair.split(' '))
