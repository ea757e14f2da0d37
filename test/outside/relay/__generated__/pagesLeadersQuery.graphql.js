/**
 * @generated SignedSource<<c399cdb613ef3067e3bfa8ab1439df94>>
 * @lightSyntaxTransform
 */

/* eslint-disable */

'use strict';

var node = (function(){
var v0 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "count"
},
v1 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "cursor"
},
v2 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "season"
},
v3 = [
  {
    "kind": "Variable",
    "name": "after",
    "variableName": "cursor"
  },
  {
    "kind": "Variable",
    "name": "first",
    "variableName": "count"
  },
  {
    "kind": "Literal",
    "name": "orderBy",
    "value": "points"
  },
  {
    "kind": "Variable",
    "name": "season",
    "variableName": "season"
  },
  {
    "kind": "Literal",
    "name": "subject",
    "value": "TEAM"
  }
],
v4 = [
  {
    "alias": null,
    "args": null,
    "kind": "ScalarField",
    "name": "id",
    "storageKey": null
  }
];
return {
  "fragment": {
    "argumentDefinitions": [
      (v0/*:: as any*/),
      (v1/*:: as any*/),
      (v2/*:: as any*/)
    ],
    "kind": "Fragment",
    "metadata": null,
    "name": "pagesLeadersQuery",
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "League",
        "kind": "LinkedField",
        "name": "league",
        "plural": false,
        "selections": [
          {
            "args": null,
            "kind": "FragmentSpread",
            "name": "pages_leaders"
          }
        ],
        "storageKey": null
      }
    ],
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [
      (v2/*:: as any*/),
      (v0/*:: as any*/),
      (v1/*:: as any*/)
    ],
    "kind": "Operation",
    "name": "pagesLeadersQuery",
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "League",
        "kind": "LinkedField",
        "name": "league",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": (v3/*:: as any*/),
            "concreteType": "RankingConnection",
            "kind": "LinkedField",
            "name": "ranking",
            "plural": false,
            "selections": [
              {
                "alias": null,
                "args": null,
                "concreteType": "RankingEdge",
                "kind": "LinkedField",
                "name": "edges",
                "plural": true,
                "selections": [
                  {
                    "alias": null,
                    "args": null,
                    "concreteType": null,
                    "kind": "LinkedField",
                    "name": "node",
                    "plural": false,
                    "selections": [
                      {
                        "alias": null,
                        "args": null,
                        "kind": "ScalarField",
                        "name": "__typename",
                        "storageKey": null
                      },
                      {
                        "alias": null,
                        "args": [
                          {
                            "kind": "Literal",
                            "name": "name",
                            "value": "points"
                          }
                        ],
                        "concreteType": "Stat",
                        "kind": "LinkedField",
                        "name": "stat",
                        "plural": false,
                        "selections": [
                          {
                            "alias": null,
                            "args": null,
                            "kind": "ScalarField",
                            "name": "value",
                            "storageKey": null
                          },
                          {
                            "alias": null,
                            "args": null,
                            "kind": "ScalarField",
                            "name": "rank",
                            "storageKey": null
                          }
                        ],
                        "storageKey": "stat(name:\"points\")"
                      },
                      {
                        "kind": "InlineFragment",
                        "selections": (v4/*:: as any*/),
                        "type": "CoachStatRanking",
                        "abstractKey": null
                      },
                      {
                        "kind": "InlineFragment",
                        "selections": (v4/*:: as any*/),
                        "type": "ConferencePlayerStatRanking",
                        "abstractKey": null
                      },
                      {
                        "kind": "InlineFragment",
                        "selections": (v4/*:: as any*/),
                        "type": "ConferenceStatRanking",
                        "abstractKey": null
                      },
                      {
                        "kind": "InlineFragment",
                        "selections": (v4/*:: as any*/),
                        "type": "LeaguePlayerStatRanking",
                        "abstractKey": null
                      },
                      {
                        "kind": "InlineFragment",
                        "selections": (v4/*:: as any*/),
                        "type": "LeagueStatRanking",
                        "abstractKey": null
                      },
                      {
                        "kind": "InlineFragment",
                        "selections": (v4/*:: as any*/),
                        "type": "PlayerStatRanking",
                        "abstractKey": null
                      },
                      {
                        "kind": "InlineFragment",
                        "selections": (v4/*:: as any*/),
                        "type": "TeamStatRanking",
                        "abstractKey": null
                      }
                    ],
                    "storageKey": null
                  },
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "cursor",
                    "storageKey": null
                  }
                ],
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "concreteType": "PageInfo",
                "kind": "LinkedField",
                "name": "pageInfo",
                "plural": false,
                "selections": [
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "endCursor",
                    "storageKey": null
                  },
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "hasNextPage",
                    "storageKey": null
                  }
                ],
                "storageKey": null
              }
            ],
            "storageKey": null
          },
          {
            "alias": null,
            "args": (v3/*:: as any*/),
            "filters": [
              "subject",
              "season",
              "orderBy"
            ],
            "handle": "connection",
            "key": "pages_ranking",
            "kind": "LinkedHandle",
            "name": "ranking"
          }
        ],
        "storageKey": null
      }
    ]
  },
  "params": {
    "cacheID": "f0cbd69e3e70f360042e40a3d2029624",
    "id": null,
    "metadata": {},
    "name": "pagesLeadersQuery",
    "operationKind": "query",
    "text": "query pagesLeadersQuery(\n  $season: Int!\n  $count: Int!\n  $cursor: String\n) {\n  league {\n    ...pages_leaders\n  }\n}\n\nfragment pages_leaders on League {\n  ranking(subject: TEAM, season: $season, orderBy: \"points\", first: $count, after: $cursor) {\n    edges {\n      node {\n        __typename\n        stat(name: \"points\") {\n          value\n          rank\n        }\n        ... on CoachStatRanking {\n          id\n        }\n        ... on ConferencePlayerStatRanking {\n          id\n        }\n        ... on ConferenceStatRanking {\n          id\n        }\n        ... on LeaguePlayerStatRanking {\n          id\n        }\n        ... on LeagueStatRanking {\n          id\n        }\n        ... on PlayerStatRanking {\n          id\n        }\n        ... on TeamStatRanking {\n          id\n        }\n      }\n      cursor\n    }\n    pageInfo {\n      endCursor\n      hasNextPage\n    }\n  }\n}\n"
  }
};
})();

node.hash = "a7e84601f6c7afdc64f982dbae5e0d33";

module.exports = node;
